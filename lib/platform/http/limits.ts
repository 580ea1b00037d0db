import { ApiError, bodyTooLarge, headersTooLarge } from "../errors";

/** Limit for the address of a page: Next's work grows with the square of its parameters. */
const PAGE_ADDRESS_BYTES = 8_192;
/** For the API and for pages (contract, section 1: URL length). */
export const MAX_PARAMETERS = 50;
/** Next copies all cookies for each of them. A host name shared by several programs has more cookies than ours. */
const MAX_COOKIES = 64;
const COOKIE_BYTES = 8_192;
/** Our pages send about 1,500 bytes; Next compares the state to the page level by level. */
const ROUTER_STATE_BYTES = 8_192;
const ROUTER_STATE_LEVELS = 64;

/** The parts of a request that the limits of pages apply to. */
interface RequestHead {
  /** Path and query as sent. */
  address: string;
  /** All cookies as one header. */
  cookie: string | null | undefined;
  /** The state of Next's router: JSON, percent-encoded. */
  routerState?: string;
}

/**
 * Refuses a request that would cost Next too much time, before Next reads it: 414 `address_too_long`, 400
 * `too_many_parameters`, 431 `cookies_too_large` or `headers_too_large`. Copies nothing and reads no byte twice.
 */
export function checkPageRequest({ address, cookie, routerState }: RequestHead): void {
  if (address.length > PAGE_ADDRESS_BYTES) throw addressTooLong(PAGE_ADDRESS_BYTES);
  const query = address.indexOf("?");
  if (query >= 0 && hasMore(address.slice(query), "&", MAX_PARAMETERS - 1)) throw tooManyParameters();
  if (cookie && (cookie.length > COOKIE_BYTES || hasMore(cookie, ";", MAX_COOKIES)))
    throw new ApiError(
      431,
      "cookies_too_large",
      `Your browser sent more cookies than this service reads (${MAX_COOKIES}, and ${inBytes(COOKIE_BYTES)}). ` +
        "Delete the cookies of this site.",
    );
  if (
    routerState &&
    (routerState.length > ROUTER_STATE_BYTES ||
      BRACKETS.some((bracket) => hasMore(routerState, bracket, ROUTER_STATE_LEVELS)))
  )
    throw headersTooLarge();
}

const inBytes = (bytes: number) => `${bytes.toLocaleString("en")} bytes`;

export const addressTooLong = (bytes: number) =>
  new ApiError(414, "address_too_long", `The address is longer than ${inBytes(bytes)}. Send a shorter one.`);
export const tooManyParameters = () =>
  new ApiError(
    400,
    "too_many_parameters",
    `The address has more than ${MAX_PARAMETERS} parameters. Send only those that are needed.`,
  );

/** 413 `body_too_large`, for a body longer than this. */
export const bodyOver = (bytes: number) =>
  bodyTooLarge(
    bytes === 0
      ? "This address does not accept a body. Send the request without one."
      : `This is too long: at most ${inBytes(bytes)} can be sent here.`,
  );

/** The body of a form, however it is sent. Throws 413 `body_too_large` for more than `most` bytes. */
export async function bodyWithin({ headers, body }: Request, most: number): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > most) throw bodyOver(most);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > most) throw bodyOver(most);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

const BRACKETS = ["[", "%5B", "%5b"];

/** Whether `sign` occurs in `text` more than `max` times. */
export function hasMore(text: string, sign: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) if (++count > max) return true;
  return false;
}

/** Deeper and wider than anything our pages send. */
const MAX_LEVELS = 32;
export const MAX_VALUES = 2_000;

const SIGNS = /[[\]{},"]/g;

/**
 * How many values this JSON text has: brackets and commas outside of strings, and strings that React takes for
 * references. Infinity for more values or levels than any page sends. Builds nothing.
 */
export function valuesOf(text: string): number {
  let [values, depth] = [0, 0];
  SIGNS.lastIndex = 0;
  while (SIGNS.test(text)) {
    const at = SIGNS.lastIndex;
    const sign = text[at - 1];
    if (sign === '"') {
      if (text[at] === "$") values++;
      SIGNS.lastIndex = endOfString(text, at);
    } else if (sign === "]" || sign === "}") depth--;
    else {
      values++;
      if (sign !== ",") depth++;
    }
    if (values > MAX_VALUES || depth > MAX_LEVELS || depth < 0) return Number.POSITIVE_INFINITY;
  }
  return values;
}

/** Behind the quotation mark that ends the string. */
function endOfString(text: string, begin: number): number {
  for (let from = begin; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) return text.length;
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\" && end - slashes > begin) slashes++;
    if (slashes % 2 === 0) return end + 1;
    from = end + 1;
  }
}
