import { types } from "@/clients/typescript/src/latchkey.ts?client";
import { clientAnswer } from "../client-answer";

/** The types of the client. */
export const GET = clientAnswer(types, "text/plain");
