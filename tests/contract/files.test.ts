import { beforeAll, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
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

test("a broken download is resumed where it stopped", async () => {
  // Which ranges there are: tests/http/representation.test.ts.
  const { headers } = await read(user);
  const bytes = Buffer.from(plain);
  const answer = await read(user, { Range: "bytes=1000-", "If-Range": String(headers.etag) });
  const part = `bytes 1000-${bytes.length - 1}/${bytes.length}`;
  expect([answer.status, answer.headers["content-range"]]).toEqual([206, part]);
  expect(answer.text).toBe(bytes.subarray(1000).toString());
  expect((await read(user, { Range: "bytes=5-", "If-Range": '"other"' })).text).toBe(plain);
});

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

test("there is nothing before the first import", async () => {
  expectError(await read(await makeUser()), 404, "no_files");
});

test("a range behind the end is refused", async () => {
  const total = Buffer.byteLength(plain);
  const answer = await read(user, { Range: `bytes=${total}-` });
  expectError(answer, 416, "range_not_satisfiable");
  expect(answer.headers["content-range"]).toBe(`bytes */${total}`);
});

test("everybody reads their own files only, and names no other user by any parameter", async () => {
  const other = await makeUser();
  await store(other, documentOf(other.username, "theirs"));
  for (const name of ["user", "username", "id"]) {
    const answer = await ask("/read-files", { query: { auth: user.token, [name]: other.username } });
    expect(answer.text).toBe(plain);
  }
});

test("a tag is no proof of who asks", async () => {
  const { headers } = await read(user);
  expectError(await ask("/read-files", { headers: { "If-None-Match": String(headers.etag) } }), 401, "missing_token");
  expectError(await read(await makeUser(), { "If-None-Match": String(headers.etag) }), 404, "no_files");
});
