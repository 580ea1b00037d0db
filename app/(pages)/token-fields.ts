import { z } from "zod";
import { ACCESSES } from "@/lib/platform/access";
import { ENDS, type TokenEnd } from "./token-ends";

// Apart from token-ends.ts, so that no page loads zod.

/** A form's field with an access. */
export const accessField = z.enum(ACCESSES);

/** A form's field with a choice of when a token expires. */
export const endField = z.enum(ENDS.map(({ value }) => value) as [TokenEnd, ...TokenEnd[]]);
