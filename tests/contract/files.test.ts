import { beforeAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { chunks } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError } from "./answers";

/** A file system with one folder and one file in it, and what older documents hold in the unused places. */
function documentOf(username: string, text: string): unknown[] {
  const [root, docs, folder, file] = [newId(), newId(), newId(), newId()];
  const [home, name] = [`origin/(c) users/${username}`, "Déjà \u{1F4C1}"];
  return [
    ...[".folder", username, "origin/(c) users", [docs], "", 0, 0, 0, 17e11, 17e11 + 1, "", 1, [username], root],
    ...[".folder", "docs", home, [folder], 0, 0, 0, "", 1, 1, "", 1, [], docs],
    ...[".folder", name, `${home}/docs`, JSON.stringify([file]), null, -1.5, 2e3, "0", 1, 2, "icon", 1, [], folder],
    ...[".txt", 'a "name"', `${home}/docs/${name}`, text, "", 0, 0, 0, 3, 4, "", text.length, [username, "b"], file],
  ];
}

const store = (user: TestUser, document: unknown[]) => importDocument(user, chunks(JSON.stringify(document)));
const read = (user: TestUser, headers: Record<string, string> = {}, method = "GET") =>
  ask("/read-files", { method, query: { auth: user.token }, headers });

let user: TestUser;
let document: unknown[];
let plain: string;
beforeAll(async () => {
  user = await makeUser();
  document = documentOf(user.username, "line one\nline two \u{1F511} \u0000 end".repeat(2_000));
  await store(user, document);
  plain = (await read(user)).text;
});

test("answers what was imported, value for value, with a tag and a length", async () => {
  const answer = await read(user);
  expect(answer.status).toBe(200);
  expect(answer.list).toEqual(document);
  expect(answer.headers["content-type"]).toMatch(/^application\/json(?:; charset=utf-8)?$/);
  expect(answer.headers["cache-control"]).toBe("private, no-cache");
  expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
  expect(answer.headers.vary).toMatch(/\bAccept-Encoding\b/i);
  expect(answer.headers["accept-ranges"]).toBe("bytes");
  expectCommonHeaders(answer);
});

test("sends 304 to clients that have it, and all of it to those with another version", async () => {
  const { headers } = await read(user);
  const etag = String(headers.etag);
  for (const tags of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
    const answer = await read(user, { "If-None-Match": tags });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, "", etag]);
  }
  expect((await read(user, { "If-None-Match": '"other"' })).text).toBe(plain);
});

// Which ranges there are: tests/http/representation.test.ts.
test.each([{}, { under: "docs" }] as Record<string, string>[])(
  "what broke off is resumed where it stopped, and comes anew if it is another version: %j",
  async (query) => {
    const asked = (headers: Record<string, string>) =>
      ask("/read-files", { query: { auth: user.token, ...query }, headers });
    const whole = await asked({});
    const bytes = Buffer.from(whole.text);
    const of = { "If-Range": String(whole.headers.etag) };
    for (const [range, last] of [
      ["bytes=1000-", bytes.length - 1],
      ["bytes=1000-1999", 1_999],
    ] as const) {
      const answer = await asked({ ...of, Range: range });
      const part = `bytes 1000-${last}/${bytes.length}`;
      expect([answer.status, answer.headers["content-range"]]).toEqual([206, part]);
      expect(answer.text).toBe(bytes.subarray(1_000, last + 1).toString());
    }
    expect((await asked({ Range: "bytes=5-", "If-Range": '"other"' })).text).toBe(whole.text);
    const behind = await asked({ ...of, Range: `bytes=${bytes.length}-` });
    expectError(behind, 416, "range_not_satisfiable");
    expect(behind.headers["content-range"]).toBe(`bytes */${bytes.length}`);
  },
);

test.each([{}, { under: "docs" }, { only: "index" }] as Record<string, string>[])(
  "a range that does not say of which version is answered by all of it, until that is a day old: %j",
  async (query) => {
    const owner = await makeUser();
    await store(owner, documentOf(owner.username, "first"));
    const asked = (headers: Record<string, string>, method = "GET") =>
      ask("/read-files", { method, query: { auth: owner.token, ...query }, headers });
    const whole = await asked({ "Accept-Encoding": "identity" });
    const part = { Range: "bytes=10-" };
    const vague: Record<string, string>[] = [{}, { "If-Match": "*" }, { "If-Range": new Date().toUTCString() }];
    for (const more of vague) {
      const answer = await asked({ ...part, ...more });
      expect([answer.status, answer.text, answer.headers["content-range"]]).toEqual([200, whole.text, undefined]);
    }
    const etag = String(whole.headers.etag);
    expectError(await asked({ ...part, "If-Match": '"other"' }), 412, "precondition_failed");
    expectError(await asked({ ...part, "User-Agent": "Wget/1.21.3" }), 412, "precondition_failed");
    const ranged = query.only === undefined;
    expect((await asked({ ...part, "If-Match": etag })).status).toBe(ranged ? 206 : 200);
    expect((await asked({ ...part, "If-Range": etag }, "HEAD")).status).toBe(200);
    const publishedAt = new Date(Date.now() - 25 * 60 * 60_000);
    await db.fileVersion.updateMany({ where: { userId: owner.id }, data: { publishedAt } });
    expect((await asked(part)).status).toBe(ranged ? 206 : 200);
    expect((await asked({ ...part, "If-Range": '"other"' })).status).toBe(200);
  },
);

test.each(["/client.mjs", "/docs/examples/link.sh"])(
  "%s has no ranges, and is never the rest for wget",
  async (path) => {
    const headers = { Range: "bytes=10-", "User-Agent": "Wget/1.21.3" };
    expect((await ask(path, { headers })).status).toBe(412);
    expect((await ask(path, { headers: { Range: "bytes=10-" } })).status).toBe(200);
  },
);

test("a new import changes the tag, and only the root that is left is a document too", async () => {
  const owner = await makeUser();
  await store(owner, documentOf(owner.username, "first"));
  const before = await read(owner);
  const root = documentOf(owner.username, "").slice(0, 14).with(3, []).with(11, 0);
  await store(owner, root);
  const after = await read(owner, { "If-None-Match": String(before.headers.etag) });
  expect([after.status, after.list]).toEqual([200, root]);
});

test("what /me counts is what was stored", async () => {
  const { body } = await ask("/me", { query: { auth: user.token } });
  expect(body?.files).toEqual({ entries: 4, bytes: Buffer.byteLength(plain) });
});

test("everybody reads their own files only, and names no other user by any parameter", async () => {
  const other = await makeUser();
  await store(other, documentOf(other.username, "theirs"));
  for (const name of ["user", "username", "owner"]) {
    const answer = await ask("/read-files", { query: { auth: user.token, [name]: other.username } });
    expect(answer.text).toBe(plain);
  }
});

describe("a part of the document", () => {
  const part = (query: Record<string, string | undefined>, headers: Record<string, string> = {}, method = "GET") =>
    ask("/read-files", { method, query: { auth: user.token, ...query }, headers });
  const entry = (n: number) => document.slice(n * 14, (n + 1) * 14);
  const file = () => String(document.at(-1));
  const path = (name = user.username) => `origin/(c) users/${name}/docs/Déjà \u{1F4C1}/a "name".txt`;

  test("is one entry, by its id or its path", async () => {
    const short = path().slice(`origin/(c) users/${user.username}/`.length);
    for (const query of [{ id: file() }, { path: path() }, { path: path().toUpperCase() }, { path: short }]) {
      const answer = await part(query);
      expect([answer.status, answer.list]).toEqual([200, entry(3)]);
      expect(answer.headers["content-encoding"]).toBeUndefined();
      expect(answer.headers["cache-control"]).toBe("private, no-cache");
      expectCommonHeaders(answer);
    }
  });

  test("is a folder with everything below it, or an index", async () => {
    const bare = (values: unknown[]) =>
      values.map((value, n) => (n % 14 === 3 && values[n - 3] !== ".folder" ? null : value));
    expect((await part({ under: "docs" })).list).toEqual(document.slice(14));
    expect((await part({ under: String(document[27]) })).list).toEqual(document.slice(14));
    expect((await part({ under: "docs", only: "index" })).list).toEqual(bare(document.slice(14)));
    const index = await part({ only: "index" });
    expect(index.list).toEqual(bare(document));
    expect(index.headers["accept-ranges"]).toBeUndefined();
    expect((await part({ only: "index" }, { Range: "bytes=5-" })).text).toBe(index.text);
  });

  test.each([{ path: 'docs/déjà \u{1F4C1}/a "name".txt' }, { under: "docs" }, { only: "index" }] as Record<
    string,
    string
  >[])("has a tag, and a head: %j", async (asked) => {
    const whole = await part(asked, { "Accept-Encoding": "gzip" });
    const etag = String(whole.headers.etag);
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(etag).not.toBe((await read(user)).headers.etag);
    const same = await part(asked, { "If-None-Match": etag });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, "", etag]);
    const head = await part(asked, {}, "HEAD");
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", etag]);
    expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
  });

  test.each([
    [{ path: "docs", id: "x" }, /path, id and under/],
    [{ path: "docs", under: "docs" }, /path, id and under/],
    [{ id: "x", under: "docs" }, /path, id and under/],
    [{ path: "docs", only: "index" }, /under/],
    [{ only: "data" }, /only .*"index"/],
    [{ only: "" }, /only .*"index"/],
    [{ path: "" }, /path must have 1 to 8192/],
    [{ path: "x".repeat(8_193) }, /path must have 1 to 8192/],
    [{ under: "x".repeat(8_193) }, /under must have 1 to 8192/],
    [{ id: "x".repeat(65) }, /id must be 1 to 64/],
    [{ id: "a b" }, /id must be 1 to 64/],
  ] as [Record<string, string>, RegExp][])("is refused for %j", async (query, sentence) => {
    expect(expectError(await part(query), 400, "invalid_parameter").body?.error).toMatch(sentence);
  });

  test("is refused for a file, in which nothing is", async () => {
    for (const under of [file(), path()])
      expect(expectError(await part({ under }), 400, "invalid_parameter").body?.error).toMatch(/not a folder/);
  });

  test("is nothing for what does not exist, or is another user's", async () => {
    const other = await makeUser();
    await store(other, documentOf(other.username, "theirs"));
    const theirs = String((await read(other)).list?.at(-1));
    const nothing = [{ path: "x".repeat(8_192) }, { path: path(other.username) }, { id: theirs }, { under: theirs }];
    for (const query of [...nothing, { id: "x".repeat(64) }, { path: `docs${"/".repeat(5_000)}` }])
      expectError(await part(query), 404, "no_such_entry");
    const none = await makeUser();
    for (const query of [{ path: "docs" }, { only: "index" }])
      expectError(await ask("/read-files", { query: { auth: none.token, ...query } }), 404, "no_files");
  });
});

test("a tag is no proof of who asks", async () => {
  const { headers } = await read(user);
  expectError(await ask("/read-files", { headers: { "If-None-Match": String(headers.etag) } }), 401, "missing_token");
  expectError(await read(await makeUser(), { "If-None-Match": String(headers.etag) }), 404, "no_files");
});
