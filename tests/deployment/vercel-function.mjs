// Run by ./vercel-launcher.ts in its own process: one packed function behind a port, with nothing else around it.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";

const [folder, kind] = process.argv.slice(2);
const handler = createRequire(join(folder, "/"))(join(folder, "___next_launcher.cjs"));

/** The middleware before all pages takes a Request and returns a Response. */
async function before(request, response) {
  const body = ["GET", "HEAD"].includes(request.method) ? undefined : Readable.toWeb(request);
  const url = `https://${request.headers["x-forwarded-host"]}${request.url}`;
  const answer = await handler(
    new Request(url, { method: request.method, headers: request.headers, body, duplex: "half" }),
  );
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(Buffer.from(await answer.arrayBuffer()));
}

const server = createServer(
  { maxHeaderSize: 65_536 },
  kind === "before" ? (request, response) => void before(request, response) : handler,
);
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
