import { afterAll, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { ALICE, BOB, KEY, TOKEN } from "@/lib/http/example-values";
import { assemble, BEFORE, type Cast, described, inTheirWords, operations, swap } from "@/tests/contract/described";
import { newKey, share } from "@/tests/contract/keys";
import { approve, deny } from "@/tests/contract/link";
import { chunks, smallDocument } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { PythonClient } from "./python";

const NOBODY = "nobody-at-all";
const NO_KEY = "0".repeat(32);

/** How the client makes the request of each example. Files and the link have tests of their own below. */
const CALLS: Record<string, [method: string, given: object]> = {
  "/keys/create": ["keys.create", { data: "the secret", price: "1.5", name: "Spare room" }],
  "/keys/get/{id}": ["keys.get", { key: KEY }],
  "/keys/mine": ["keys.mine", {}],
  "/keys/check/{username}": ["keys.check", { username: ALICE, key: KEY }],
  "/keys/revoke/{id}": ["keys.revoke", { key: KEY, user: BOB }],
  "/keys/delete/{id}": ["keys.delete", { key: KEY }],
  "/keys/update/{id}": ["keys.update", { key: KEY, data: "another secret" }],
  "/keys/admin_add/{id}": ["keys.admin_add", { key: KEY, username: BOB }],
  "/me": ["me", {}],
};
/** Not a client's business, or the same under another name. */
const OTHERS = [
  ...["/get_user", "/v2/me", "/keys/name/{id}", "/keys/admin_remove/{id}"],
  ...["/health", "/ready", "/metrics", "/openapi.json"],
];
const ELSEWHERE = ["/read-files", "/link/code", "/link/status", "/link/user"];

const python = new PythonClient(origin);
afterAll(() => python[Symbol.dispose]());

const replay = ({ words }: Cast, [method, given]: [string, object], token = TOKEN) =>
  python.call(method, JSON.parse(swap(JSON.stringify(given), words)), swap(token, words));

test("the client knows every route that is for programs", () => {
  expect(operations.map(([path]) => path).toSorted()).toEqual(
    [...Object.keys(CALLS), ...OTHERS, ...ELSEWHERE].toSorted(),
  );
});

test.each(Object.entries(CALLS))("the example of %s", async (path, call) => {
  const cast = await assemble();
  await BEFORE[path]?.(cast);
  const { answer, error } = await replay(cast, call);
  expect(error).toBeUndefined();
  expect(inTheirWords(JSON.stringify(answer), cast, path)).toEqual(
    described.paths[path]?.get.responses["200"]?.content?.["application/json"].example,
  );
});

test("access has an end, another one, and none", async () => {
  const { alice, bob, words } = await assemble();
  const given = { key: swap(KEY, words), username: bob.username };
  const add = (until: string) => python.call("keys.admin_add", { ...given, until }, alice.token);
  const check = () => python.call("keys.check", given, alice.token);
  expect((await add("2096-10-02T07:06:40Z")).answer).toMatchObject({ added: true, until: 4_000_000_000 });
  expect((await check()).answer).toMatchObject({ owned: true, until: 4_000_000_000 });
  expect((await add("never")).answer).toMatchObject({ added: false, changed: true });
  expect((await check()).answer).not.toHaveProperty("until");
});

describe("an error is an exception with the code", () => {
  const asBob = (cast: Cast) => cast.bob.token;
  const disabled = async () => ((await makeUsers(1, { disabledAt: new Date() })) as [TestUser])[0].token;
  test.each<[string, number, string, [string, object], ((cast: Cast) => string | Promise<string>)?]>([
    ["InvalidToken", 401, "invalid_token", ["me", {}], () => `lk_${"x".repeat(43)}`],
    ["InvalidToken", 401, "invalid_token", ["me", {}], () => "two\nlines"],
    ["MissingToken", 401, "missing_token", ["me", {}], () => ""],
    ["AccountDisabled", 403, "account_disabled", ["keys.mine", {}], disabled],
    ["KeyNotFound", 404, "key_not_found", ["keys.get", { key: NO_KEY }]],
    ["KeyNotFound", 404, "key_not_found", ["keys.delete", { key: NO_KEY }]],
    ["UserNotFound", 404, "user_not_found", ["keys.admin_add", { key: KEY, username: NOBODY }]],
    ["UserNotFound", 404, "user_not_found", ["keys.revoke", { key: KEY, user: NOBODY }]],
    ["CreatorAccess", 400, "creator_access", ["keys.revoke", { key: KEY, user: ALICE }]],
    ["NotCreator", 403, "not_creator", ["keys.update", { key: KEY, name: "Mine" }], asBob],
    ["NotCreator", 403, "not_creator", ["keys.delete", { key: KEY }], asBob],
    ["InvalidParameter", 400, "invalid_parameter", ["keys.create", { data: "\0", price: 1 }]],
    ["InvalidParameter", 400, "invalid_parameter", ["keys.create", { data: "\ud800", price: 1 }]],
    ["InvalidParameter", 400, "invalid_parameter", ["keys.create", { data: "x", price: "1e5" }]],
    ["KeyNotFound", 404, "key_not_found", ["keys.get", { key: "../mine?a#b" }]],
    ["NoFiles", 404, "no_files", ["files.read", {}]],
  ])("%s (%i %s): %j", async (name, status, code, call, tokenOf = () => TOKEN) => {
    const cast = await assemble();
    const { error } = await replay(cast, call, await tokenOf(cast));
    expect(error?.slice(0, 3)).toEqual([name, code, status]);
  });
});

test("every character of data arrives as it was sent, and a page follows the other", async () => {
  const user = await makeUser();
  const data = ['ä&=+%20 /?#"\\', "\u2028\ud83d\ude00\n\t\u0001", "x".repeat(10_000)];
  for (const one of data)
    expect((await python.call("keys.create", { data: one, price: 0.00001 }, user.token)).error).toBeUndefined();
  await Promise.all(Array.from({ length: 60 }, (_, n) => newKey(user, { name: String(n) })));
  const { answer } = await python.call("keys.mine", {}, user.token);
  const mine = answer as { id: string; data: string; price: number }[];
  expect(new Set(mine.map(({ id }) => id)).size).toBe(63);
  expect(mine.slice(0, 3).map(({ data, price }) => [data, price])).toEqual(data.map((one) => [one, 0.00001]));
  const [other] = (await makeUsers(1)) as [TestUser];
  await share(user, mine[0]?.id ?? "", other);
  expect((await python.call("keys.mine", {}, other.token)).answer).toMatchObject([{ data: data[0], isCreator: false }]);
});

test("files are what was imported, and only what has changed is fetched", async () => {
  const cast = await assemble();
  await BEFORE["/read-files"]?.(cast);
  const entries = async (user: TestUser, unless?: string) =>
    (await python.call("files.read", { unless }, user.token)).answer as { etag: string; entries: unknown[][] } | null;
  const example = described.paths["/read-files"]?.get.responses["200"]?.content?.["application/json"].example;
  const first = await entries(cast.alice);
  expect(inTheirWords(JSON.stringify(first?.entries), cast, "/read-files")).toEqual(inPlaces(example as unknown[]));
  expect(await entries(cast.alice, first?.etag)).toBeNull();
  const document = smallDocument(cast.alice.username, "changed");
  await importDocument(cast.alice, chunks(JSON.stringify(document)));
  expect((await entries(cast.alice, first?.etag))?.entries).toEqual(inPlaces(document));
});

/** The entries of a document as the driver prints them. */
function inPlaces(document: unknown[]): unknown[][] {
  return Array.from({ length: document.length / 14 }, (_, n) => {
    const [type, name, location, data, , x, y, , ...rest] = document.slice(n * 14, n * 14 + 14);
    const list = type === ".folder" && typeof data === "string" ? JSON.parse(data) : data;
    return [type, name, location, list, x, y, ...rest];
  });
}

describe("linking", () => {
  const begin = async (given: object = {}) => {
    const program = new PythonClient(origin);
    const { code, error } = await program.call("link", given);
    expect(error).toBeUndefined();
    const [letters, url, expiresIn] = code ?? ["", "", 0];
    expect([letters, url, expiresIn]).toEqual([
      expect.stringMatching(/^[A-Z]{6}$/),
      expect.stringMatching(new RegExp(`/link\\?code=${letters}$`)),
      expect.any(Number),
    ]);
    return { program, letters };
  };

  test("shows a code, and gets the token of who confirms it", async () => {
    const user = await makeUser();
    const { program, letters } = await begin();
    await approve(letters, user);
    expect(await program.outcome()).toEqual({ answer: user.token });
    const { answer } = await program.call("me", {}, user.token);
    expect(answer).toMatchObject({ username: user.username, token: { access: "everything" } });
    program[Symbol.dispose]();
  });

  test("names the program and the access that it needs", async () => {
    const user = await makeUser();
    const { program, letters } = await begin({ name: "Backup", access: "identity" });
    await approve(letters, user);
    const { answer } = await program.outcome();
    expect(answer).toMatch(/^lkt_/);
    expect((await program.call("me", {}, String(answer))).answer).toEqual({ username: user.username, role: "user" });
    expect((await program.call("keys.mine", {}, String(answer))).error?.slice(0, 3)).toEqual([
      "TokenAccess",
      "token_access",
      403,
    ]);
    expect((await program.call("link", { access: "all" })).error?.slice(0, 3)).toEqual([
      "InvalidParameter",
      "invalid_parameter",
      400,
    ]);
    program[Symbol.dispose]();
  });

  test("stops at once when the user denies it", async () => {
    const { program, letters } = await begin();
    await deny(letters, await makeUser());
    expect((await program.outcome()).error?.slice(0, 2)).toEqual(["LinkDenied", "link_denied"]);
    program[Symbol.dispose]();
  });
});
