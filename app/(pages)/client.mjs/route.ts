import { code } from "@/clients/typescript/src/latchkey.ts?client";
import { clientResponse } from "../download";

/** The client, for programs and pages that import it from here. Deno finds its types by the header. */
export const GET = clientResponse(code, "text/javascript", { "X-TypeScript-Types": "./client.d.mts" });
