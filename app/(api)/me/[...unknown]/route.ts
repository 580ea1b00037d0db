// Written by `npm run codegen` from the files beside. Do not edit.
import { unknownAddress } from "@/lib/api/not-found";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = unknownAddress;
