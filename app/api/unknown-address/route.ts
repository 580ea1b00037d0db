import { unknownAddress } from "@/lib/api/not-found";

// Where Next sends requests for addresses that do not exist (next.config.mjs).
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = unknownAddress;
