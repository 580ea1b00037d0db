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
  throw outOfDate(parsed.error.issues[0]?.path.join("."));
}

const outOfDate = (field = "") => invalidParameter(`This page is out of date${field && ` (${field})`}. Reload it.`);

/**
 * The same for what a person typed: throws 400 `invalid_parameter` for the first field that is refused. The sentence
 * begins with what `about` calls the field.
 */
export function readEntered<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  about: (field: string) => string,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".");
  if (!issue || !field) throw outOfDate();
  throw invalidParameter(`${about(field)} ${issue.message}.`, field);
}

/** A form with these fields. */
export const formOf = <Shape extends z.core.$ZodLooseShape>(fields: Shape) =>
  z
    .instanceof(FormData)
    .transform((form): unknown => Object.fromEntries(form))
    .pipe(z.object(fields));

// Apart from token-ends.ts, so that no page loads zod.

/** A form's field with an access. */
export const accessField = z.enum(ACCESSES);

/** A form's field with a choice of when a token expires. */
export const endField = z.enum(ENDS.map(({ value }) => value) as [TokenEnd, ...TokenEnd[]]);
