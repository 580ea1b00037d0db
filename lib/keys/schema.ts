import { z } from "zod";
import { KEY_NAME_LENGTH } from "@/lib/platform/bounds";
import { isAscii, searchable } from "@/lib/platform/fold-case";
import { price } from "./price";

const DATA_BYTES = 65_536;

/** Text that both databases can store; the API refuses any other text earlier. */
const text = z
  .string()
  .refine((value) => value.isWellFormed() && !value.includes("\0"), "must be text without the character NUL");

const dataOf = (least: number) =>
  text.refine((value) => {
    const bytes = Buffer.byteLength(value);
    return bytes >= least && bytes <= DATA_BYTES;
  }, `must have ${least} to ${DATA_BYTES} bytes of UTF-8`);

/** The secret of a new key. */
const newData = dataOf(1).describe(`The secret: 1 to ${DATA_BYTES} bytes of UTF-8.`);

export const textUpTo = (max: number) =>
  text
    .refine((value) => [...value].length <= max, `can have ${max} characters at most`)
    .describe(`At most ${max} characters.`);

const name = textUpTo(KEY_NAME_LENGTH);

/** What is stored of a name for searches. Null: what the database computes is the same. */
export const foldedNameOf = (name: string): string | null => (isAscii(name) ? null : searchable(name));

/** The fields of a new key. */
export const newKey = z.object({
  data: newData,
  price,
  name: name.optional(),
});
export type NewKey = z.infer<typeof newKey>;

/** The fields that can be changed, and what each may become: the secret may be emptied. */
export const changeable = {
  data: dataOf(0),
  name,
  price,
};
export type ChangeableField = keyof typeof changeable;
export type PlainField = Exclude<ChangeableField, "data">;
export const plainFieldNames = Object.keys(changeable).filter((field): field is PlainField => field !== "data");

/** The changeable fields that are no secret. */
export type PlainFields = Record<PlainField, string>;

/** These fields of a key, or of a new one: those that it does not have are empty. */
export const plainFields = (of: Partial<PlainFields>) =>
  Object.fromEntries(plainFieldNames.map((field) => [field, of[field] ?? ""])) as PlainFields;
/** Their names, as sentences have them: with commas, and "or" before the last. */
export const CHANGEABLE = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(Object.keys(changeable));

const MAX_A_PAGE = 1_000;

/** The number of keys per page of a list. */
export const pageSize = z
  .string()
  .refine(
    (value) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MAX_A_PAGE,
    `must be a whole number from 1 to ${MAX_A_PAGE}`,
  )
  .transform(Number)
  .meta({
    description: `How many keys to return, 1 to ${MAX_A_PAGE}; all by default. The Link header names the next page.`,
    type: "integer",
    minimum: 1,
    maximum: MAX_A_PAGE,
  });

export const keyId = z.string().describe("The key's id: 32 lowercase hex digits.");

/** A key as every route returns it (contract, section 2). */
export const keyRecord = z.object({
  key: z.string().describe("The id."),
  id: z.string().describe("The same id."),
  name: z.string(),
  type: z.literal("standard"),
  price: z.number().describe("A negative price means not for sale."),
  creator: z.string(),
  isCreator: z.boolean().describe("Whether the caller created the key."),
  owned: z.boolean().describe("Whether the caller holds the key."),
  owns: z.boolean().describe("The same as owned."),
  data: z.string().nullable().describe("The secret, or null if the caller does not hold the key."),
  damaged: z
    .literal(true)
    .optional()
    .describe("Only in lists and after a change: the data is null because what is stored of it cannot be read."),
  users: z.record(
    z.string(),
    z.object({
      time: z.number().int().describe("Since when, in Unix seconds."),
      until: z.number().int().optional().describe("When the access ends, in Unix seconds, if it does."),
    }),
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type KeyRecord = z.infer<typeof keyRecord>;

/** The confirmation of every change, in addition to its other fields. */
export const confirmation = z.object({ success: z.literal(true), status: z.string(), message: z.string() });

/** A confirmation's sentence, under both names that existing clients read. */
export function confirm(sentence: string): z.infer<typeof confirmation> {
  return { success: true, status: sentence, message: sentence };
}

/** The response to a revocation. */
export const revocation = confirmation.extend({ key: z.string(), user: z.string(), revoked: z.boolean() });

/** That response. */
export function confirmRevoked(
  key: string,
  { user, revoked }: { user: string; revoked: boolean },
): z.infer<typeof revocation> {
  return { ...confirm(`${user} ${revoked ? "no longer holds" : "did not hold"} the key`), key, user, revoked };
}
