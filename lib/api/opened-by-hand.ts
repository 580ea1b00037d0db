import { BARE_POLICY, POLICY_HEADERS } from "@/lib/platform/http/plain-page";
import { streamOf } from "@/lib/platform/http/response";
import type { Declaration } from "./declaration";

/** Where the pages describe a route: `/keys/get/{id}` has the id `keys-get`. */
export function anchorOf(path: string): string {
  return path
    .replace(/\/\{\w+\}/g, "")
    .slice(1)
    .replaceAll("/", "-");
}

const PAGES = ["/claim", "/email", "/invite", "/recover/link"];

/**
 * The address of the page that a link in another spelling means: some programs encode its `#`, or change capitals. Its
 * secret goes back behind a `#`, where no log and no Referer gets it (contract, section 5: links that work once).
 * Undefined for any other path.
 */
export function meantLink(path: string): string | undefined {
  const [before = "", ...secret] = path.split(/%23/i);
  const page = decodeURIComponent(before).toLowerCase().replace(/\/$/, "");
  if (!PAGES.includes(page)) return undefined;
  if (secret.length > 0) return `${page}#${secret.join("%23")}`;
  return before.replace(/\/$/, "") === page ? undefined : page;
}

/** Longer bodies are sent as they are: this is how much of one is buffered in memory. */
const MAX_BYTES = 256 * 1024;

/**
 * What a lane passes to a handler if it knows that no browser opened the address: to look for its headers in a Request
 * costs a twentieth of a look-up.
 */
export const NOT_OPENED = Symbol("not opened by hand");

/** What tells whether a user opened an address. */
interface Opened {
  method: string | undefined;
  headers: Pick<Headers, "get" | "has">;
}

/**
 * Whether a user opened this address in a browser, as the browser itself says. Programs in browsers cannot send these
 * headers, and the HTTP libraries of others do not: some of those send `Accept: text/html` for everything. One that
 * drives a real browser and reads the body sends `Authorization`. Browsers send them to https and localhost only.
 */
export function isOpenedByHand({ method, headers }: Opened): boolean {
  return (
    headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document" &&
    method === "GET" &&
    !headers.has("authorization") &&
    /^text\/html(?:,|$)/i.test(headers.get("accept") ?? "")
  );
}

/**
 * The response of a route as a page for the person who opened its address, with the same status and headers. The page
 * repeats nothing of the address, where a token may be. Raw JSON is in it, too: a second request would need the token,
 * and could create a second key. `route` is undefined for an unknown address.
 */
export async function asPage(response: Response, route?: Pick<Declaration, "path" | "summary">): Promise<Response> {
  if (!response.body) return response;
  const rest = chunksOf(response.body);
  const read: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    read.push(next.value);
    bytes += next.value.length;
    if (bytes > MAX_BYTES) return new Response(streamOf(joined(read, rest)), response);
  }
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(POLICY_HEADERS)) headers.set(name, value);
  headers.set("Content-Security-Policy", BARE_POLICY);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(markup(Buffer.concat(read).toString(), response.status, route), {
    status: response.status,
    headers,
  });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Not a generator: one that was never started would not end the rest when the client disconnects. */
function joined(read: Uint8Array[], rest: AsyncGenerator<Uint8Array, void>): AsyncIterable<Uint8Array, void> {
  const next = async (): Promise<IteratorResult<Uint8Array, void>> => {
    const value = read.shift();
    return value ? { done: false, value } : rest.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return() }) };
}

function markup(json: string, status: number, route?: Pick<Declaration, "path" | "summary">): string {
  const title = route?.path ?? "Unknown address";
  const what = route
    ? "This is an address of Latchkey's API"
    : "Addresses that begin like this belong to Latchkey's API";
  const reference = route ? `/docs#${anchorOf(route.path)}` : "/docs";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Latchkey API</title>
<style>
:root { color-scheme: light dark; background: light-dark(#f3f6f4, #0d1412); color: light-dark(#12211c, #e5ece8); }
body { margin: 0; background: inherit; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
p { margin: 0 0 .5rem; }
a { color: light-dark(#1b5e4b, #7cc9a9); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1rem 0; }
pre { margin: 0; padding: 1rem; border-radius: .625rem; }
pre { border: 1px solid light-dark(#d3dcd7, #27342f); background: light-dark(#ffffff, #141d1a); }
pre { font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
#raw, #raw:target ~ #formatted { display: none; }
#raw:target { display: block; }
</style>
<main>
<h1>${escaped(title)}</h1>
${route ? `<p>${escaped(route.summary)}</p>\n` : ""}\
<p>${what}, for programs. They get the JSON below, with status ${status}.</p>
<nav><a href="#formatted">Formatted</a> <a href="#raw">Raw JSON</a> <a href="${reference}">API reference</a></nav>
<pre id="raw">${escaped(json)}</pre>
<pre id="formatted">${escaped(JSON.stringify(JSON.parse(json), null, 2))}</pre>
</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
