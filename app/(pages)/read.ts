import { z } from "zod";
import { ACCESSES } from "@/lib/platform/access";
import { invalidParameter } from "@/lib/platform/errors";
import { ENDS, type TokenEnd } from "./token-ends";

// Arguments of an action are external input, whatever their types say.

/**
 * The validated input. Throws 400 `invalid_parameter`: only an outdated page, or no page at all, sends anything else.
 */
export function read<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".");
  throw invalidParameter(`This page is out of date${field ? ` (${field})` : ""}. Reload it.`);
}

const form = z.instanceof(FormData);

/** The fields of a form. Throws as `read` does. */
export const readForm = (input: unknown): Record<string, unknown> => Object.fromEntries(read(form, input));

const request = z.string().regex(/^[0-9a-f]{32}$/);

/** The id of a press, as `useAction` makes it. Throws as `read` does. */
export const readRequest = (input: unknown): string => read(request, input);

// Apart from token-ends.ts, so that no page loads zod.

/** A form's field with an access. */
export const accessField = z.enum(ACCESSES);

/** A form's field with a choice of when a token expires. */
export const endField = z.enum(ENDS.map(({ value }) => value) as [TokenEnd, ...TokenEnd[]]);
