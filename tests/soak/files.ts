import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { smallDocument } from "@/tests/support/documents";
import type { Answer } from "@/tests/support/request";
import { checkApiHeaders, checkError } from "./client";
import { type Act, anyOf, type Household, random } from "./household";

const ROUTE = "/read-files";
const KILOBYTES = [1, 1, 1, 10, 300, 300, 3_000];
/** More than the buffers between both ends hold, so that the service has to wait for a slow reader. */
const SLOW_KILOBYTES = 12_000;
const SLOW_BYTES_PER_SECOND = 4_000_000;

/** Text that hardly compresses, with characters of every length in UTF-8. */
function documentOf(username: string, kilobytes: number): string {
  return JSON.stringify(smallDocument(username, `${randomBytes(kilobytes * 750).toString("base64")} ä\u{1F511}`));
}

async function store(home: Household, kilobytes: number): Promise<void> {
  const document = documentOf(home.owner.username, kilobytes);
  await home.operator.tell("importDocument", home.owner, document);
  home.document = document;
}

const get = ({ client, owner }: Household, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> =>
  client.send(ROUTE, ROUTE, { method, query: { auth: owner.token }, headers });

function checkDocument(answer: Answer, document: string, status = 200): void {
  assert.equal(answer.status, status, answer.text.slice(0, 300));
  checkApiHeaders(answer);
  assert.equal(answer.headers["content-type"], "application/json");
  assert.equal(answer.headers["content-length"], String(answer.bytes.length));
  assert.match(String(answer.headers.etag), /^"[^"]+"$/);
  const plain = answer.headers["content-encoding"] === "gzip" ? gunzipSync(answer.bytes) : answer.bytes;
  assert.ok(plain.equals(Buffer.from(document)), "the document is the one that was stored, byte for byte");
}

export const storeFiles: Act = (home) => store(home, anyOf(KILOBYTES) ?? 1);

export const readFiles: Act = async (home) => {
  const { document } = home;
  if (document === null) return checkError(ROUTE, await get(home), [404, "no_files"]);
  const [plain, gzip] = [await get(home), await get(home, { "Accept-Encoding": "gzip" })];
  checkDocument(plain, document);
  checkDocument(gzip, document);
  assert.deepEqual([plain.headers["content-encoding"], gzip.headers["content-encoding"]], [undefined, "gzip"]);
  const head = await get(home, {}, "HEAD");
  assert.deepEqual(
    [head.status, head.text, head.headers["content-length"]],
    [200, "", plain.headers["content-length"]],
  );
};

export const readChangedFiles: Act = async (home) => {
  await store(home, 1);
  const before = String((await get(home)).headers.etag);
  const same = await get(home, { "If-None-Match": before });
  assert.deepEqual([same.status, same.text], [304, ""]);
  await store(home, 2);
  checkDocument(await get(home, { "If-None-Match": before }), home.document ?? "");
};

export const resumeFiles: Act = async (home) => {
  if (home.document === null) await store(home, 300);
  const document = Buffer.from(home.document ?? "");
  const tag = String((await get(home, {}, "HEAD")).headers.etag);
  const first = random(document.length);
  const rest = await get(home, { Range: `bytes=${first}-`, "If-Range": tag });
  assert.deepEqual(
    [rest.status, rest.headers["content-range"]],
    [206, `bytes ${first}-${document.length - 1}/${document.length}`],
  );
  assert.ok(rest.bytes.equals(document.subarray(first)), "the rest of the document");
  checkDocument(await get(home, { Range: `bytes=${first}-`, "If-Range": '"another"' }), home.document ?? "");
  checkError(ROUTE, await get(home, { Range: `bytes=${document.length}-` }), [416, "range_not_satisfiable"]);
};

/** Who reads slowly gets the document as it was at the beginning, whole, while another is stored. */
export const readFilesSlowly: Act = async (home) => {
  await store(home, SLOW_KILOBYTES);
  const before = home.document ?? "";
  const reading = home.client.readSlowly(ROUTE, { auth: home.owner.token }, SLOW_BYTES_PER_SECOND);
  const asked = await reading.begun;
  await store(home, 1);
  checkDocument(await get(home), home.document ?? "");
  checkDocument({ ...asked, bytes: await reading.bytes }, before);
};

export const breakOffReading: Act = async (home) => {
  if (home.document === null) await store(home, 300);
  await home.client.breakOff(ROUTE, { auth: home.owner.token }, random(20));
};
