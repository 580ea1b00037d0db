import type { SignedIn } from "@/lib/accounts/session/current-user";
import { refusalOf } from "@/lib/api/refusal";
import { partTooLarge } from "@/lib/files/errors";
import { PART_BYTES } from "@/lib/files/schema";
import { foreignOrigin } from "@/lib/platform/errors";
import { MAX_VALUES, valuesOf } from "@/lib/platform/http/limits";
import { refuseBlocked } from "@/lib/platform/network/blocked";
import { clientNetwork } from "@/lib/platform/network/client";
import { requireOwnHost } from "@/lib/platform/network/host";
import { isBehindServer } from "@/lib/platform/network/network";
import { actor, isFromElsewhere, requireOurOrigin } from "../visitor";

/** These responses are not pages: they do not get the policy from proxy.ts. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** One request from the page: the signed-in user, its query, and the request itself. */
interface PageCall<Params> {
  user: SignedIn;
  query: URLSearchParams;
  params: Params;
  request: Request;
}

type PageHandler<Params> = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/**
 * A handler for requests of the files page with the session's cookie. Changes must come from a script of our own origin
 * (CSRF): browsers send the origin of every such request, and a script elsewhere cannot fake it. Returns the result of
 * `work`, a refusal as `{ error, code }` with its details, or 401 `signed_out` without a session.
 */
export function fromOurPage<Params = Record<string, never>>(
  work: (call: PageCall<Params>) => Promise<unknown>,
): PageHandler<Params> {
  return async (request, { params }) => {
    try {
      if (!isBehindServer()) {
        requireOwnHost(request.headers);
        await refuseBlocked(clientNetwork(request.headers));
      }
      if (request.method !== "GET") requireOurOrigin(request.headers);
      // A page elsewhere could also put load on the service.
      if (isFromElsewhere(request.headers)) throw foreignOrigin();
      const user = await actor();
      const result = await work({ user, query: new URL(request.url).searchParams, params: await params, request });
      return result instanceof Response ? withHeaders(result) : withHeaders(Response.json(result ?? {}));
    } catch (thrown) {
      const { status, message, code, headers, details } = refusalOf(thrown, "a request of the files page failed");
      return withHeaders(Response.json({ ...details, error: message, code }, { status, headers }));
    }
  };
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

/** The body's bytes. Throws 413 `body_too_large` for more than `PART_BYTES`. */
export async function readPart(request: Request): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bodyOf(request)) {
    length += part.length;
    if (length > PART_BYTES) throw partTooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/**
 * The body as it arrives, with backpressure: the client sends no faster than this is read. If the consumer stops early,
 * the rest is read and discarded: a browser that is still sending does not read the response.
 */
export async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await exhaust(reader);
  }
}

async function exhaust(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has disconnected.
  }
}

/** Names of fifty files, each letter of them escaped, and an archive's 1,500 ids. */
const MAX_BYTES = 128 * 1_024;

/** A small JSON body, or undefined if it is not JSON. */
export async function readJson(request: Request): Promise<unknown> {
  return parsed(await readPart(request));
}

/** The JSON, or undefined if it is none, or more than a page sends. */
export function parsed(json: Buffer): unknown {
  if (json.length > MAX_BYTES || valuesOf(json.toString("latin1")) > MAX_VALUES) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
