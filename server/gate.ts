import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ApiError } from "@/lib/errors";
import { addressTooLong, checkPageRequest, headersTooLarge } from "@/lib/http/page-limits";
import { ADDRESS_BYTES, HEADER_BYTES, HEADER_COUNT, type Lane, laneOf, PATH_BYTES } from "./gate-limits";
import { checkRouterState } from "./router-state";

/**
 * Refuses what is too large for every lane, before anything reads it: 414 `address_too_long`, 431 `headers_too_large`. Takes some
 * hundred nanoseconds and no memory.
 */
export function checkSize({ url = "", rawHeaders }: IncomingMessage): void {
  if (url.length > PATH_BYTES) {
    if (url.length > ADDRESS_BYTES) throw addressTooLong(ADDRESS_BYTES);
    const query = url.indexOf("?");
    if (query < 0 || query > PATH_BYTES) throw addressTooLong(PATH_BYTES);
  }
  if (rawHeaders.length > 2 * HEADER_COUNT) throw headersTooLarge();
  let bytes = 0;
  for (let index = 0; index < rawHeaders.length; index++) bytes += rawHeaders[index]?.length ?? 0;
  if (bytes > HEADER_BYTES) throw headersTooLarge();
}

/**
 * Refuses a request to Next that its lane does not take, by its head alone, and answers the lane. 400, 405, 413, 414, 415, 431,
 * each with a sentence that says what to do.
 */
export function checkPage(request: IncomingMessage, path: string): Lane {
  const { method = "", headers } = request;
  const routerState = textOf(headers["next-router-state-tree"]);
  checkPageRequest({ address: request.url ?? "", cookie: headers.cookie, routerState });
  checkRouterState(routerState);
  const lane = laneOf(method, path, headers["next-action"] !== undefined);
  if (!lane.methods.includes(method)) throw methodNotAllowed(lane.methods.join(", "));
  const length = bodyLength(headers);
  if (length === undefined) return lane;
  if (length > lane.bodyBytes || lane.bodyBytes === 0) throw bodyTooLarge(lane.bodyBytes);
  if (lane.types && !lane.types.test(headers["content-type"] ?? ""))
    throw new ApiError(415, "unsupported_media_type", "This address takes no body of this media type.");
  return lane;
}

/** The announced length of a body, 0 where one comes in chunks, undefined where there is none. */
export function bodyLength(headers: IncomingHttpHeaders): number | undefined {
  if (headers["transfer-encoding"] !== undefined) return 0;
  const length = headers["content-length"];
  return length === undefined || length === "0" ? undefined : Number(length);
}

export const bodyTooLarge = (bytes: number) =>
  new ApiError(413, "body_too_large", bytes === 0 ? "This address takes no body. Send the request without one." : `A body may have ${bytes} bytes here.`);

const methodNotAllowed = (allow: string) => new ApiError(405, "method_not_allowed", `This address answers ${allow} only.`, { Allow: allow });

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}
