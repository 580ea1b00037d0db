import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { smallDocument } from "@/tests/support/documents";
import type { Answer } from "@/tests/support/request";
import { anyOf, random } from "./chance";
import { checkError } from "./client";
import type { Act, Household } from "./household";

const ROUTE = "/read-files";
/** More than the buffers between both ends hold, so that the service has to wait for a slow reader. */
const SLOW_KILOBYTES = 12_000;
const SLOW_BYTES_PER_SECOND = 4_000_000;

/** Stores text that hardly compresses, with characters of every length in UTF-8. */
async function store(home: Household, kilobytes: number): Promise<string> {
  const text = `${randomBytes(kilobytes * 750).toString("base64")} ä\u{1F511}`;
  const document = JSON.stringify(smallDocument(home.owner.username, text));
  await home.operator.tell("importDocument", home.owner, document);
  home.document = document;
  return document;
}

const get = ({ client, owner }: Household, headers: Record<string, string> = {}, method = "GET") =>
  client.send(ROUTE, ROUTE, { method, query: { auth: owner.token }, headers });

function checkDocument({ status, headers, bytes }: Pick<Answer, "status" | "headers" | "bytes">, document: string) {
  assert.deepEqual([status, headers["access-control-allow-origin"], headers["set-cookie"]], [200, "*", undefined]);
  assert.deepEqual([headers["content-type"], headers["content-length"]], ["application/json", String(bytes.length)]);
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
  assert.ok(plain.equals(Buffer.from(document)), "the document is the one that was stored, byte for byte");
}

export const storeFiles: Act = (home) => store(home, anyOf([1, 1, 1, 10, 300, 300, 3_000]));

export const readFiles: Act = async (home) => {
  const { document } = home;
  if (document === null) return checkError(ROUTE, await get(home), [404, "no_files"]);
  const [plain, gzip] = [await get(home), await get(home, { "Accept-Encoding": "gzip" })];
  checkDocument(plain, document);
  checkDocument(gzip, document);
  assert.deepEqual([plain.headers["content-encoding"], gzip.headers["content-encoding"]], [undefined, "gzip"]);
  const { status, text, headers } = await get(home, {}, "HEAD");
  assert.deepEqual([status, text, headers["content-length"]], [200, "", plain.headers["content-length"]]);
};

/** Who has a part of them gets the rest, and who has them all gets nothing, until they change. */
export const resumeFiles: Act = async (home) => {
  const text = home.document ?? (await store(home, 300));
  const document = Buffer.from(text);
  const tag = String((await get(home, {}, "HEAD")).headers.etag);
  assert.match(tag, /^"[^"]+"$/);
  const first = random(document.length);
  const Range = `bytes=${first}-`;
  const { status, headers, bytes } = await get(home, { Range, "If-Range": tag });
  const range = `bytes ${first}-${document.length - 1}/${document.length}`;
  assert.deepEqual([status, headers["content-range"]], [206, range]);
  assert.ok(bytes.equals(document.subarray(first)), "the rest of the document");
  const beyond = await get(home, { Range: `bytes=${document.length}-` });
  checkError(ROUTE, beyond, [416, "range_not_satisfiable"]);
  const same = await get(home, { "If-None-Match": tag });
  assert.deepEqual([same.status, same.text], [304, ""]);
  const changed = await store(home, 2);
  checkDocument(await get(home, { "If-None-Match": tag }), changed);
  checkDocument(await get(home, { Range, "If-Range": tag }), changed);
};

/** Who reads slowly gets the document as it was at the beginning, whole, while another is stored. */
export const readFilesSlowly: Act = async (home) => {
  const before = await store(home, SLOW_KILOBYTES);
  const response = await home.client.open(ROUTE, { auth: home.owner.token }).response;
  const after = await store(home, 1);
  checkDocument(await get(home), after);
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk);
    await sleep((chunk.length / SLOW_BYTES_PER_SECOND) * 1_000);
  }
  const { statusCode: status = 0, headers } = response;
  checkDocument({ status, headers, bytes: Buffer.concat(chunks) }, before);
};

export const breakOffReading: Act = async (home) => {
  if (home.document === null) await store(home, 300);
  const { sent, response } = home.client.open(ROUTE, { auth: home.owner.token });
  response.then((begun) => begun.resume()).catch(() => {});
  await sleep(random(20));
  sent.destroy();
};
