import { unknownAddress } from "@/lib/api/handler";

// Where Next sends requests for addresses that do not exist (next.config.mjs).
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = unknownAddress;
