import { createServer, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { smallDocument } from "@/tests/support/documents";
import { addressOf } from "@/tests/support/place";
import { PythonClient } from "./clients";

/** Something else than the service, at its address: what it answers by path. */
const answers = new Map<string, (answer: ServerResponse) => void>();
const asked: { url: string; token: string | undefined }[] = [];
const server = createServer(({ url = "", method = "", headers }, answer) => {
  asked.push({ url, token: headers.authorization });
  const path = url.split("?")[0] ?? "";
  const form = headers.range ? "rest" : headers["accept-encoding"];
  const answering = answers.get(`${method} ${path} ${form}`) ?? answers.get(path);
  if (answering) answering(answer);
  else answer.writeHead(404).end("Nothing here.");
});
const address = addressOf(server);
let python: PythonClient;
beforeAll(() => {
  python = new PythonClient(address(), "lk_secret");
});
afterAll(() => python[Symbol.dispose]());

const ENTRY = [".txt", "hello", "origin/(c) users/alice", "data", "", 0, 0, 0, 1, 2, "", 4, [], "a1"];
const entry = (place: number, json: string) =>
  `[${ENTRY.map((value, n) => (n === place ? json : JSON.stringify(value))).join(",")}]`;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const sends = (text: string | Buffer) => (answer: ServerResponse) =>
  void answer.writeHead(200, { ETag: '"1"' }).end(text);
const MEGABYTE = 1_000_000;

describe("a hostile document is refused with a sentence", () => {
  test.each<[string, string | Buffer, string]>([
    ["10,000 deep", nested(10_000), "Entry 1, type: a value is nested too deeply"],
    ["200 deep in an unused value", entry(4, nested(200)), "value 5: a value is nested too deeply"],
    ["a million brackets", entry(3, "[".repeat(MEGABYTE)), "data: a value is nested too deeply"],
    [
      "a number of two million digits",
      entry(5, "9".repeat(2 * MEGABYTE)),
      "x: a value is longer than 1048576 characters",
    ],
    ["no number", entry(8, "NaN"), "created: NaN is not JSON"],
    ["a number as a name", entry(1, "5"), "name: the value is of the wrong type"],
    ["an object as permissions", entry(12, "{}"), "permissions: the value is of the wrong type"],
    ["an id with a blank", entry(13, '"a b"'), "id: the value is no id"],
    [
      "a name without end",
      entry(1, `"${"a".repeat(2 * MEGABYTE)}"`),
      "name: a value is longer than 1048576 characters",
    ],
    ["13 values", JSON.stringify(ENTRY.slice(1)), "Entry 1"],
    ["an object", "{}", "it is not an array"],
    ["something behind its end", `${JSON.stringify(ENTRY)}1`, "something follows its end"],
    ["no UTF-8", Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), "it is not UTF-8"],
    ["an unfinished string", '["', "type: a value is not JSON"],
    ["a page of a proxy", "<!doctype html>", "it is not an array"],
  ])("%s", async (_, document, sentence) => {
    answers.set("/read-files", sends(document));
    const { error } = await python.call("files.read");
    expect(error?.slice(0, 3)).toEqual(["InvalidDocument", "invalid_document", null]);
    expect(error?.[3]).toContain(sentence);
  });

  test("what is no gzip, or hides 80 MB in little, takes little memory", async () => {
    const gzip = (bytes: Buffer) => (answer: ServerResponse) =>
      void answer.writeHead(200, { ETag: '"1"', "Content-Encoding": "gzip" }).end(bytes);
    answers.set("/read-files", gzip(Buffer.from("this is no gzip")));
    expect((await python.call("files.read")).error?.[0]).toBe("InvalidDocument");
    const [before, after = ""] = entry(3, '"DATA"').split("DATA");
    const bomb = gzipSync(`${before}${"A".repeat(80 * MEGABYTE)}${after}`, { level: 1 });
    answers.set("/read-files", gzip(bomb));
    const { answer } = await python.call("contents");
    expect(answer).toMatchObject({ entries: 1, bytes: 80 * MEGABYTE });
    expect((answer as { memory: number }).memory).toBeLessThan(64 * MEGABYTE);
  });

  test("a document in blocks of any length is the same", async () => {
    const document = Buffer.from(JSON.stringify(smallDocument("alice", `"\\${"ä\u{1f600}".repeat(300_000)}`), null, 1));
    answers.set("/read-files", sends(document));
    const whole = (await python.call("files.read")).answer;
    answers.set("/read-files", async (answer) => {
      answer.writeHead(200, { ETag: '"1"' });
      for (let at = 0; at < document.length; at += 99_991) {
        answer.write(document.subarray(at, at + 99_991));
        await new Promise((next) => setImmediate(next));
      }
      answer.end();
    });
    expect((await python.call("files.read")).answer).toEqual(whole);
    expect((whole as { entries: unknown[] }).entries).toHaveLength(4);
  });
});

const text = JSON.stringify(ENTRY);
const head = (tag: string) => (answer: ServerResponse) => void answer.writeHead(200, { ETag: tag }).end();
const rest = (status: number, tag: string, from: number) => (answer: ServerResponse) =>
  void answer
    .writeHead(status, { ETag: tag, "Content-Range": `bytes ${from}-${text.length - 1}/${text.length}` })
    .end(text.slice(from));
/** The gzip form of version 1 ends before its last bytes; then the service says this of what it has. */
const resumed = async (tags: { identity: string; gzip: string }, next: (answer: ServerResponse) => void) => {
  const gzip = gzipSync(text);
  answers.set("GET /read-files gzip", (answer) => {
    answer.writeHead(200, { ETag: '"1-gzip"', "Content-Encoding": "gzip", "Content-Length": gzip.length });
    answer.write(gzip.subarray(0, -4), () => answer.destroy());
  });
  answers.set("HEAD /read-files identity", head(tags.identity));
  answers.set("HEAD /read-files gzip", head(tags.gzip));
  answers.set("GET /read-files rest", next);
  const { answer, error } = await python.call("files.read");
  for (const key of [...answers.keys()]) if (key.includes(" ")) answers.delete(key);
  return error?.[0] ?? (answer as { entries: unknown[] }).entries.length;
};
const SAME = { identity: '"1"', gzip: '"1-gzip"' };

test("a broken transfer goes on where it stopped, and knows that there is nothing left", async () => {
  const refuse = (answer: ServerResponse) =>
    void answer.writeHead(416).end('{"code":"range_not_satisfiable","error":"Behind the end."}');
  expect(await resumed(SAME, refuse)).toBe(1);
});

test("where all of the same version comes again, what has arrived is skipped", async () => {
  expect(await resumed(SAME, rest(200, '"1"', 0))).toBe(1);
});

test.each([
  ["another version came before the tags", { identity: '"2"', gzip: '"2-gzip"' }, rest(206, '"2"', 5)],
  ["another version came between the tags", { identity: '"2"', gzip: '"1-gzip"' }, rest(200, '"1"', 0)],
  ["another version came behind the tags", SAME, rest(200, '"2"', 0)],
  ["a version with a weak tag came", { identity: 'W/"1"', gzip: '"1-gzip"' }, rest(200, 'W/"1"', 0)],
  ["the rest is of another version", SAME, rest(206, '"2"', text.length)],
  ["the rest begins elsewhere", SAME, rest(206, '"1"', 3)],
])("a broken transfer is never made up of two versions: %s", async (_, tags, next) => {
  expect(await resumed(tags, next)).toBe("DocumentChanged");
});

describe("an answer that the service does not give", () => {
  const LIMITED = { code: "rate_limited", error: "No." };
  const json =
    (value: unknown, status = 200, headers = {}) =>
    (answer: ServerResponse) =>
      void answer.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
  test.each<[string, (answer: ServerResponse) => void, unknown[]]>([
    ["no JSON", sends("<!doctype html>"), ["InvalidAnswer", "invalid_answer", null]],
    ["10,000 deep", sends(nested(100_000)), ["InvalidAnswer", "invalid_answer", null]],
    ["values missing", json({ username: "alice" }), ["InvalidAnswer", "invalid_answer", null]],
    ["wrong types", json({ username: 5, role: "user" }), ["InvalidAnswer", "invalid_answer", null]],
    ["without end", sends(" ".repeat(3 * MEGABYTE)), ["InvalidAnswer", "invalid_answer", null]],
    ["a proxy's page", (answer) => void answer.writeHead(418).end("<p>Tea"), ["ApiError", "http_418", 418]],
    ["a code of tomorrow", json({ code: "new_code", error: "New." }, 409), ["ApiError", "new_code", 409]],
    ["a long pause", json(LIMITED, 429, { "Retry-After": "600" }), ["RateLimited", "rate_limited", 429]],
  ])("is an error: %s", async (_, answering, error) => {
    answers.set("/me", answering);
    expect((await python.call("me")).error?.slice(0, 3)).toEqual(error);
  });

  test("a refusal that breaks off is asked for again", async () => {
    const refusal = JSON.stringify({ code: "key_not_found", error: "There is no such key." });
    answers.set("/keys/get/1", (answer) => {
      answers.set("/keys/get/1", (again) => void again.writeHead(404).end(refusal));
      answer.writeHead(404, { "Content-Length": refusal.length });
      answer.write(refusal.slice(0, 10), () => answer.destroy());
    });
    asked.length = 0;
    const { error } = await python.call("keys.get", { key: "1" });
    expect(error?.slice(0, 3)).toEqual(["KeyNotFound", "key_not_found", 404]);
    expect(asked).toHaveLength(2);
  });

  test("the token goes nowhere else, and into no sentence", async () => {
    answers.set("/me", (answer) => void answer.writeHead(302, { Location: `${address()}/elsewhere` }).end());
    asked.length = 0;
    const { error } = await python.call("me");
    expect(error?.slice(0, 3)).toEqual(["CannotConnect", "redirected", null]);
    expect(asked).toEqual([{ url: "/me", token: "Bearer lk_secret" }]);
    expect(JSON.stringify(error)).not.toContain("lk_secret");
  });

  test("a creation is repeated as the same request, and its outcome unknown if no response says it", async () => {
    for (const answering of [json({}, 503), sends("{}"), (answer: ServerResponse) => void answer.destroy()]) {
      asked.length = 0;
      answers.set("/keys/create", answering);
      expect((await python.call("keys.create", { data: "x", price: 1 })).error?.[0]).toBe("OutcomeUnknown");
      expect(new Set(asked.map(({ url }) => url)).size).toBe(1);
      expect(asked[0]?.url).toMatch(/request=[0-9a-f]{32}/);
    }
  });
});

const status = (word: string, code = 200) =>
  answers.set("/link/status", (answer) => void answer.writeHead(code).end(JSON.stringify({ status: word })));
test.each([
  ["expired", 200],
  ["unknown", 404],
  // By somebody else: this program gets no token.
  ["collected", 200],
])("linking stops when the code is %s", async (word, code) => {
  answers.set("/link/code", (answer) => void answer.writeHead(200).end('{"code":"KMTRWB"}'));
  answers.set("/link/user", (answer) => void answer.writeHead(404).end('{"linked":false,"token":""}'));
  status(word, code);
  expect((await python.call("link")).code).toEqual(["KMTRWB", `${address()}/link?code=KMTRWB`, 600]);
  expect((await python.outcome()).error?.slice(0, 2)).toEqual(["LinkExpired", "link_expired"]);
});
