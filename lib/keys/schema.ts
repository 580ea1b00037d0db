import { z } from "zod";
import { KEY_NAME_LENGTH } from "@/lib/platform/bounds";
import { isAscii, searchable } from "@/lib/platform/fold-case";

const DATA_BYTES = 65_536;
const PRICE = /^-?(0|[1-9]\d*)(\.\d+)?$/;

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

/** The decimal as stored and returned: trailing zeros dropped (contract, section 2: price). */
const price = z
  .string()
  .refine(isPlainDecimal, { error: ({ input }) => priceProblem(String(input)) })
  .transform((value) => String(Number(value)))
  .meta({
    description: "A plain decimal like 12, 0.5 or -1. A negative price means not for sale.",
    format: "decimal",
  });

export const textUpTo = (max: number) =>
  text
    .refine((value) => [...value].length <= max, `can have ${max} characters at most`)
    .describe(`At most ${max} characters.`);

const name = textUpTo(KEY_NAME_LENGTH);

/** What is stored of a name for searches. Null: what the database computes is the same. */
export const foldedNameOf = (name: string): string | null => (isAscii(name) ? null : searchable(name));

/** The fields of a new key. */
export const newKey = z.object({ data: newData, price, name: name.optional() });
export type NewKey = z.infer<typeof newKey>;

/** The fields that can be changed, and what each may become: the secret may be emptied. */
export const changeable = { data: dataOf(0), name, price };
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

function priceProblem(value: string): string {
  if (/^-?\d+,\d{1,2}$/.test(value)) return `must be written with a point: ${value.replace(",", ".")}`;
  if (/^-?\d[\d., ']*$/.test(value) && !PRICE.test(value))
    return "must be written like 1000 or 12.50, without commas, spaces or leading zeros";
  return PRICE.test(value) && !value.startsWith("-0")
    ? "can have 15 significant digits and 6 decimals at most"
    : "must be a plain decimal like 12 or 0.5, or -1 for not for sale";
}

function isPlainDecimal(value: string): boolean {
  if (!PRICE.test(value)) return false;
  const [integer = "", decimals = ""] = value.replace("-", "").split(".");
  const significant = `${integer}${decimals}`.replace(/^0+/, "");
  const isNegativeZero = value.startsWith("-") && significant === "";
  return decimals.length <= 6 && significant.length <= 15 && !isNegativeZero;
}

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

/** The keys that the caller created, or those that others gave the caller. */
export type ListKind = "made" | "given";

export type SortColumn = "name" | "creator" | "price" | "holders" | "since";

const COLUMNS: Record<ListKind, readonly SortColumn[]> = {
  made: ["name", "price", "holders", "since"],
  given: ["name", "creator", "price", "since"],
};

export interface Order {
  column: SortColumn;
  isDescending: boolean;
}

const NEWEST_FIRST: Order = { column: "since", isDescending: true };

/**
 * The order that an address requests: the name of a column of this list, after a minus if descending. Anything else is
 * newest first.
 */
export function readOrder(text: string, kind: ListKind): Order {
  const isDescending = text.startsWith("-");
  const column = COLUMNS[kind].find((one) => one === text.slice(isDescending ? 1 : 0));
  return column ? { column, isDescending } : NEWEST_FIRST;
}

/** How an address requests this order; empty for the default. */
export function writeOrder({ column, isDescending }: Order): string {
  const isUsual = column === NEWEST_FIRST.column && isDescending === NEWEST_FIRST.isDescending;
  return isUsual ? "" : `${isDescending ? "-" : ""}${column}`;
}

/** The order after a press on the head of this column: the other way round, or first as people want to read it. */
export function orderAfter(order: Order, column: SortColumn): Order {
  if (order.column === column) return { column, isDescending: !order.isDescending };
  return { column, isDescending: column === "holders" || column === "since" };
}
