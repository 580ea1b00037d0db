#!/bin/sh
# undici's cache, and a response that must be checked each time: "Cache-Control: private, no-cache" with an ETag.
#
# One would guess: the first response is stored, and every later request has If-None-Match and costs a 304 (RFC 9111,
# section 4.3).
# What happens: with the interceptor `cache({ type: "private" })` of undici 7.30.2, every other request has none, and
# gets the complete response again. 7.16.0 never sends one.
# Why it matters: a server that counts on 304 for a large document sends half of all responses in full. A program that
# needs the 304 has to keep the ETag and send If-None-Match by itself.
#
# Needs Node.js 20.18.1 or later, and npm.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund undici@7.30.2 >&2

cat >ask.mjs <<'JS'
import { once } from "node:events";
import { createServer } from "node:http";
import { Agent, interceptors, request } from "undici";

const asked = [];
const server = createServer(({ headers }, response) => {
  asked.push(headers["if-none-match"] ?? "none");
  response.setHeader("Cache-Control", "private, no-cache").setHeader("ETag", '"a"');
  if (headers["if-none-match"] === '"a"') response.writeHead(304).end();
  else response.end("hello");
}).listen(0, "127.0.0.1");
await once(server, "listening");
const dispatcher = new Agent().compose(interceptors.cache({ type: "private" }));
for (let count = 0; count < 6; count++) {
  const { body } = await request(`http://127.0.0.1:${server.address().port}/`, { dispatcher });
  if ((await body.text()) !== "hello") throw new Error("another body");
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await dispatcher.close();
server.close();
console.log(asked.join(" "));
JS
asked=$(node ask.mjs)
echo "If-None-Match of six requests, one after another: $asked"
[ "$asked" = 'none "a" none "a" none "a"' ]
