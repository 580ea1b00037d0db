import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { accepts, clientHas } from "@/lib/platform/http/headers";

/** Responds with an asset in its compressed form. False if Next should: there is none, or it was not requested. */
export type Assets = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** As Next sends them. The build compresses no others (scripts/builds.mjs). */
const TYPES: Record<string, string> = {
  ".css": "text/css; charset=UTF-8",
  ".js": "application/javascript; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".svg": "image/svg+xml",
};
const SUFFIXES = { br: ".br", gzip: ".gz" } as const;

/**
 * The assets that a build compressed. Paths are looked up in a list made at the start, so none leads elsewhere. What
 * was sent once stays in memory, which the build bounds: a client that disconnects leaves no open file.
 */
export function compressedAssets(buildFolder: string): Assets {
  const folder = join(buildFolder, "compressed");
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const files = new Set(names.map((name) => `/_next/static/${name.replaceAll("\\", "/")}`));
  const bodies = new Map<string, Promise<Buffer>>();

  const bodyOf = (file: string): Promise<Buffer> => {
    const cached = bodies.get(file) ?? readFile(join(folder, file.slice("/_next/static/".length)));
    bodies.set(file, cached);
    cached.catch(() => bodies.delete(file));
    return cached;
  };

  return async ({ method, headers }, response, path) => {
    const type = TYPES[extname(path)];
    const forms = (["br", "gzip"] as const).filter((coding) => files.has(path + SUFFIXES[coding]));
    if (type === undefined || forms.length === 0) return false;
    response.setHeader("Vary", "Accept-Encoding");
    // Nobody can decompress a part of the compressed form.
    if ((method !== "GET" && method !== "HEAD") || headers.range !== undefined) return false;
    const accepted = String(headers["accept-encoding"] ?? "");
    const coding = forms.find((form) => accepts(form, accepted));
    if (coding === undefined) return false;
    const body = await bodyOf(path + SUFFIXES[coding]).catch(() => undefined);
    if (body === undefined) return false;
    // The name is a hash of the content, so the tag only tells the two forms apart.
    const tag = `"${coding}"`;
    const isUnchanged = clientHas(headers["if-none-match"] ?? null, tag);
    response
      .writeHead(isUnchanged ? 304 : 200, {
        "Cache-Control": "public, max-age=31536000, immutable",
        ETag: tag,
        ...(!isUnchanged && { "Content-Type": type, "Content-Encoding": coding, "Content-Length": body.length }),
      })
      .end(isUnchanged || method === "HEAD" ? undefined : body);
    return true;
  };
}
