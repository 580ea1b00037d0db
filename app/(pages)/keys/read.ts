import { z } from "zod";
import { USERNAME } from "@/lib/accounts/user";
import { OFFERS_A_PAGE } from "@/lib/keys/offers";
import { type AccessEnd, until } from "@/lib/keys/until";
import { invalidParameter, userNotFound } from "@/lib/platform/errors";
import { read } from "../read";

const id = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * Throws 400 `invalid_parameter` for the first field that is refused, in a sentence that begins with `the` and, if it
 * is named, the field.
 */
export function readFields<Fields>(
  fields: z.ZodType<Fields>,
  input: unknown,
  { the, isNamed = true }: { the: string; isNamed?: boolean },
): Fields {
  const parsed = fields.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".");
  const name = field === "data" ? "secret" : field;
  throw invalidParameter(`${[the, ...(isNamed ? [name] : []), issue?.message].join(" ")}.`, field);
}

export function readId(input: unknown): string {
  return read(id, input);
}

/** Keys that can be left in one request. */
const MAX_LEFT = 1_000;

export function readIds(input: unknown): string[] {
  return read(z.array(id).max(MAX_LEFT), input);
}

const displayedOffers = z.array(z.object({ id: z.string(), at: z.date(), changedAt: z.date() })).max(OFFERS_A_PAGE);

/** An offer as the page displays it. */
export type DisplayedOffer = z.infer<typeof displayedOffers>[number];

export function readOffers(input: unknown): DisplayedOffer[] {
  return read(displayedOffers, input);
}

export function readUsername(input: unknown): string {
  const name = read(z.string(), input).trim();
  if (!USERNAME.test(name)) throw userNotFound();
  return name;
}

const ending = z.object({ end: until.optional() });

/** When access ends, as the API accepts it; undefined without one. */
export function readEnd(input: unknown): AccessEnd | undefined {
  return readFields(ending, { end: input }, { the: "The" }).end;
}

/** Who shall hold a key, as the form of holders has it. */
export interface NewHolder {
  username: string;
  /** As the API accepts it. Without it, a new holder's access has none. */
  end?: string;
}

const newHolder = z.object({ username: z.string(), end: z.unknown().optional() });

export function readHolder(input: unknown): { username: string; end?: AccessEnd } {
  const { username, end } = read(newHolder, input);
  return { username: readUsername(username), end: readEnd(end) };
}

/** The whole number of an optional field; undefined if it is empty. */
export function readNumber(input: unknown, field: string): number | undefined {
  const text = read(z.string().max(1_000), input).trim();
  if (text === "") return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalidParameter("This must be a whole number.", field);
  return Number(text);
}
