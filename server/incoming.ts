import type { IncomingMessage } from "node:http";
import { badRequest } from "@/lib/platform/errors";
import { headerText } from "@/lib/platform/network/forwarded";
import { isInternalName, isProbe, lastRight, misdirectedRequest } from "@/lib/platform/network/host";
import { NETWORK_HEADER, type Network, networkHeader } from "@/lib/platform/network/network";
import type { Front } from "./front";

/** Only this service may set these headers. */
const OURS = /^(?:x-forwarded-|forwarded$|x-real-ip$|x-latchkey-|x-request-id$)/;

/** Letters, digits, "-", ".", "_" and "~" mean the same when they are percent-encoded (RFC 3986, section 6.2.2.2). */
const UNRESERVED = /%(?:4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|3[0-9]|2[de])/gi;

/** An ASCII path without percent-encoding. */
const PLAIN_TARGET = /^\/[!-$&->@-~]*(?:\?[!-~]*)?$/;

const HOST = /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;

/**
 * Makes a request safe to pass on, before anything else sees it: one target in origin form and in ASCII, one valid
 * host, and truthful forwarded headers (contract, section 1: host, client address). Changes both `headers` and
 * `rawHeaders`, because the API's adapter reads one of them and Next the other. Returns the client's network. Throws
 * 400 `bad_request`, 421 `misdirected_request`.
 */
export function receive(request: IncomingMessage, front: Front): Network {
  const targetHost = normalizeTarget(request);
  const host = hostOf(request, targetHost);
  const { headers, socket } = request;
  const client = front.findClient({
    peer: socket.remoteAddress,
    headers,
    isPassedOn: () => front.isPassedOn(request, host),
  });
  const headerProto = entryOf(headers["x-forwarded-proto"], client.hops)?.toLowerCase();
  const proto = headerProto === "https" || headerProto === "http" ? headerProto : undefined;
  const forwardedHost = entryOf(headers["x-forwarded-host"], client.hops);
  if (forwardedHost !== undefined && !isHost(forwardedHost))
    throw badRequest("The X-Forwarded-Host header is not a host.");
  const named = forwardedHost ?? host;
  const isOurs =
    named === undefined ||
    front.isOwnHost(named) ||
    (client.hops > 0 && mayName(named, { isForwarded: forwardedHost !== undefined, proto }, front)) ||
    isProbe(request.url ?? "");
  front.warnings(request, client, { proto, host: named, isOurs });
  if (!isOurs) throw misdirectedRequest();

  const publicHost = front.origin?.host ?? named ?? addressOf(request);
  removeHeaders(request, (name) => OURS.test(name) || (name === "host" && headers.host !== host));
  if (headers.host === undefined) addHeader(request, "host", host ?? publicHost);
  addHeader(request, NETWORK_HEADER, networkHeader(client.network));
  addHeader(request, "x-forwarded-for", client.address);
  addHeader(request, "x-forwarded-host", publicHost.toLowerCase());
  addHeader(request, "x-forwarded-proto", front.origin?.protocol.slice(0, -1) ?? proto ?? "http");
  return client.network;
}

/**
 * Whether a trusted proxy may name this host, which is not verified to be ours: its own internal name for this service
 * or, if no address is configured, one that it forwards from HTTPS, where browsers insist on a certificate for that
 * name.
 */
function mayName(host: string, by: { isForwarded: boolean; proto: string | undefined }, { origin }: Front): boolean {
  return by.isForwarded ? origin === undefined && by.proto === "https" : isInternalName(host);
}

/** Where a request without a host arrived. */
function addressOf({ socket: { localAddress = "", localPort } }: IncomingMessage): string {
  const address = localAddress.replace(/^::ffff:|%.*$/g, "");
  return `${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}

/** Finds a header of a request by its name. */
export const headerOf =
  ({ headers }: IncomingMessage) =>
  (name: string) =>
    headers[name]?.toString();

/** Adds a header that the handlers of pages see. */
export function addHeader(request: IncomingMessage, name: string, value: string): void {
  request.headers[name] = value;
  request.rawHeaders.push(name, value);
}

/** Converts the target to origin form; returns the host of one in absolute form (RFC 9112, section 3.2.2). */
function normalizeTarget(request: IncomingMessage): string | undefined {
  let target = request.url ?? "";
  if (PLAIN_TARGET.test(target)) return undefined;
  // Older versions of Node's parser let non-ASCII bytes through and return each as one character.
  if (/[\x80-\xff]/.test(target))
    target = target.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (absolute) target = absolute[2]?.startsWith("/") ? absolute[2] : `/${absolute[2]}`;
  if (!target.startsWith("/")) throw badRequest("The request's target is not a path.");
  const [path = "", ...query] = target.split("?");
  request.url = [path.replace(UNRESERVED, decodeURIComponent), ...query].join("?");
  return absolute?.[1];
}

function hostOf(request: IncomingMessage, targetHost: string | undefined): string | undefined {
  const { rawHeaders } = request;
  let hostHeader: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== "host") continue;
    if (hostHeader !== undefined) throw badRequest("The Host header was sent more than once.");
    hostHeader = rawHeaders[index + 1];
  }
  if (hostHeader === undefined && request.httpVersion !== "1.0") throw badRequest("The Host header is missing.");
  const host = targetHost ?? hostHeader;
  if (host !== undefined && !isHost(host)) throw badRequest("The Host header is not a host.");
  return host;
}

const isHost = lastRight((text) => text.length <= 261 && HOST.test(text) && URL.canParse(`http://${text}`));

/** The entry of the outermost of this many trusted proxies: each appends one, or the last writes the only one. */
function entryOf(header: string | string[] | undefined, hops: number): string | undefined {
  if (header === undefined || hops === 0) return undefined;
  const entries = headerText(header).split(",");
  return entries[Math.max(0, entries.length - hops)]?.trim() || undefined;
}

/** Removes headers by their names in lower case. */
export function removeHeaders(request: IncomingMessage, isRemoved: (name: string) => boolean): void {
  const { headers, rawHeaders } = request;
  const removed = Object.keys(headers).filter(isRemoved);
  if (removed.length === 0) return;
  for (const name of removed) delete headers[name];
  request.rawHeaders = rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? "";
    return !removed.includes(name.toLowerCase());
  });
}
