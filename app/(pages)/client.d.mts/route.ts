import { types } from "@/clients/typescript/src/latchkey.ts?client";
import { clientResponse } from "../download";

/** The types of the client. */
export const GET = clientResponse(types, "text/plain");
