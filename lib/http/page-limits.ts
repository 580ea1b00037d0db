import { ApiError } from "@/lib/errors";

/** What an address of a page may have: Next's work grows with the square of its parameters. */
export const PAGE_ADDRESS_BYTES = 8_192;
/** Of the API and of pages alike (contract, section 1: URL length). */
export const MAX_PARAMETERS = 50;
/** Next copies all cookies for each of them; a machine that serves several programs on one host name has more than ours. */
const MAX_COOKIES = 64;
const COOKIE_BYTES = 8_192;
/** A page of ours sends some 1,500; Next compares it to the page level by level. */
const ROUTER_STATE_BYTES = 8_192;
const ROUTER_STATE_LEVELS = 64;

/** As much of a request as a page's limits are about. */
export interface PageRequest {
  /** Path and query, as they were sent. */
  address: string;
  /** All cookies as one header. */
  cookie: string | null | undefined;
  /** What Next's router says it shows: JSON, percent-encoded. */
  routerState?: string;
}

/**
 * Refuses a request that would cost Next more time than a page may, before Next has read it: 414 `address_too_long`,
 * 400 `too_many_parameters`, 431 `cookies_too_large` or `headers_too_large`. Builds nothing, and looks at no byte twice.
 */
export function checkPageRequest({ address, cookie, routerState }: PageRequest): void {
  if (address.length > PAGE_ADDRESS_BYTES) throw addressTooLong(PAGE_ADDRESS_BYTES);
  const query = address.indexOf("?");
  if (query >= 0 && hasMore(address, "&", MAX_PARAMETERS - 1, query)) throw tooManyParameters();
  if (cookie && (cookie.length > COOKIE_BYTES || hasMore(cookie, ";", MAX_COOKIES)))
    throw new ApiError(
      431,
      "cookies_too_large",
      `Your browser sent more cookies than this service reads (${MAX_COOKIES}, and ${COOKIE_BYTES} bytes). Delete the cookies of this site.`,
    );
  if (routerState && (routerState.length > ROUTER_STATE_BYTES || BRACKETS.some((bracket) => hasMore(routerState, bracket, ROUTER_STATE_LEVELS))))
    throw headersTooLarge();
}

export const addressTooLong = (bytes: number) => new ApiError(414, "address_too_long", `The address is longer than ${bytes} bytes. Send a shorter one.`);
export const tooManyParameters = () =>
  new ApiError(400, "too_many_parameters", `The address has more than ${MAX_PARAMETERS} parameters. Send only those that are needed.`);
export const headersTooLarge = () => new ApiError(431, "headers_too_large", "The request's headers are too large. Send fewer and shorter ones.");

const BRACKETS = ["[", "%5B", "%5b"];

/** Whether `sign` stands in `text` more than `most` times. */
export function hasMore(text: string, sign: string, most: number, from = 0): boolean {
  let count = 0;
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) if (++count > most) return true;
  return false;
}
