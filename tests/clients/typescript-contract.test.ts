import { describe, expect, test } from "vitest";
import { type ErrorCode, Latchkey } from "@/clients/typescript/src/latchkey";
import { ALICE, KEY } from "@/lib/http/example-values";
import { assemble, BEFORE, type Cast, described, inTheirWords, swap } from "@/tests/contract/described";
import { approve, deny } from "@/tests/contract/link";
import { origin } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";

/** How the client asks for what a route's example shows. Alice is its user. */
type Asking = (alice: Latchkey, real: (word: string) => string) => Promise<unknown>;

const ASK: Record<string, Asking> = {
  "/health": (alice) => alice.health(),
  "/ready": (alice) => alice.ready(),
  "/me": (alice) => alice.me(),
  "/keys/create": (alice) => alice.keys.create({ data: "the secret", price: 1.5, name: "Spare room" }),
  "/keys/get/{id}": (alice, real) => alice.keys.get(real(KEY)),
  "/keys/mine": (alice) => alice.keys.mine(),
  "/keys/check/{username}": (alice, real) => alice.keys.check(real(exampleOf("/keys/check/{username}")), real(KEY)),
  "/keys/admin_add/{id}": (alice, real) => alice.keys.give(real(KEY), real("bob")),
  "/keys/revoke/{id}": (alice, real) => alice.keys.revoke(real(KEY), real("bob")),
  "/keys/update/{id}": (alice, real) => alice.keys.set(real(KEY), "data", "another secret"),
  "/keys/delete/{id}": (alice, real) => alice.keys.delete(real(KEY)),
  "/read-files": async (alice) => entriesOf(alice),
};
/** Names of routes that another one has, and what is asked for while linking, which has tests of its own. */
const ELSEWHERE = [
  ...["/get_user", "/v2/me", "/keys/name/{id}", "/keys/admin_remove/{id}", "/metrics", "/openapi.json"],
  ...["/link/code", "/link/status", "/link/user"],
];

const operationOf = (path: string) => described.paths[path]?.get;
const exampleOf = (path: string) => operationOf(path)?.parameters[0]?.example ?? ALICE;

/** The document in the form of the API, but for a folder's list of children, which the client does not tell. */
async function entriesOf(latchkey: Latchkey): Promise<unknown[]> {
  const document: unknown[] = [];
  for await (const entry of (await latchkey.files.read()) ?? []) {
    const data = entry.isFolder ? [] : await entry.text();
    const { x, y, created, edited, icon, size, permissions, id } = await entry.details();
    document.push(
      entry.type,
      entry.name,
      entry.location,
      data,
      "",
      x,
      y,
      0,
      created,
      edited,
      icon,
      size,
      permissions,
      id,
    );
  }
  return document;
}

const clientOf = ({ token }: TestUser) => new Latchkey(origin, { token });
const realIn = (cast: Cast) => (word: string) => swap(word, cast.words);

test("the client has every route of the API", () => {
  expect([...Object.keys(ASK), ...ELSEWHERE].sort()).toEqual(Object.keys(described.paths).sort());
});

test("access has an end, another one, and none", async () => {
  const { alice, bob, words } = await assemble();
  const { keys } = clientOf(alice);
  const id = swap(KEY, words);
  const end = new Date(4_000_000_000_000);
  expect(await keys.give(id, bob.username, { until: end })).toMatchObject({ added: true, until: 4_000_000_000 });
  expect(await keys.check(bob.username, id)).toMatchObject({ owned: true, until: 4_000_000_000 });
  expect(await keys.give(id, bob.username, { until: "never" })).toMatchObject({ added: false, changed: true });
  expect(await keys.check(bob.username, id)).not.toHaveProperty("until");
});

describe("the client gets the example of", () => {
  test.each(Object.entries(ASK))("%s", async (path, asking) => {
    const cast = await assemble();
    await BEFORE[path]?.(cast);
    const answer = inTheirWords(JSON.stringify(await asking(clientOf(cast.alice), realIn(cast))), cast, path);
    const example = operationOf(path)?.responses["200"]?.content?.["application/json"].example;
    // The list of the root's children.
    const told = path === "/read-files" ? (example as unknown[]).map((value, n) => (n === 3 ? [] : value)) : example;
    expect(answer).toEqual(told);
  });
});

describe("a refusal has its code and its status", () => {
  const NO_KEY = "0".repeat(32);
  const REFUSED: [ErrorCode, number, (cast: Cast, alice: Latchkey, bob: Latchkey) => Promise<unknown>][] = [
    ["missing_token", 401, () => new Latchkey(origin).me()],
    ["invalid_token", 401, () => new Latchkey(origin, { token: `lk_${"x".repeat(43)}` }).keys.mine()],
    ["key_not_found", 404, (_, alice) => alice.keys.get(NO_KEY)],
    ["key_not_found", 404, (_, alice) => alice.keys.delete(NO_KEY)],
    ["user_not_found", 404, (cast, alice) => alice.keys.give(realIn(cast)(KEY), "nobody-at-all")],
    ["creator_access", 400, (cast, alice) => alice.keys.revoke(realIn(cast)(KEY), cast.alice.username)],
    ["not_creator", 403, (cast, _, bob) => bob.keys.set(realIn(cast)(KEY), "name", "mine")],
    ["invalid_parameter", 400, (_, alice) => alice.keys.create({ data: "x", price: "1e5" })],
    ["invalid_parameter", 400, (_, alice) => alice.keys.create({ data: "x", price: Number.NaN })],
    ["no_files", 404, (_, alice) => alice.files.read()],
  ];
  test.each(REFUSED)("%s, %d", async (code, status, asking) => {
    const cast = await assemble();
    await expect(asking(cast, clientOf(cast.alice), clientOf(cast.bob))).rejects.toMatchObject({
      ...{ name: "LatchkeyError", code, status, mayHaveHappened: false },
      requestId: expect.stringMatching(/^[\w-]{10,}$/),
    });
  });

  test("account_disabled", async () => {
    const [disabled] = await makeUsers(1, { disabledAt: new Date() });
    await expect(clientOf(disabled as TestUser).me()).rejects.toMatchObject({ code: "account_disabled", status: 403 });
  });
});

test("every key of many, in pages", async () => {
  const { alice } = await assemble();
  const latchkey = clientOf(alice);
  const names = Array.from({ length: 7 }, (_, n) => `key ${n}, é&+%#/?`);
  for (const name of names) await latchkey.keys.create({ data: "+ &%\u0000".slice(0, 4), price: -1, name });
  const found: string[] = [];
  for await (const key of latchkey.keys.each({ pageSize: 3 })) found.push(key.name);
  expect(found).toEqual(["Spare room", ...names]);
});

describe("linking", () => {
  const ask = (more: { signal?: AbortSignal } = {}) => {
    const latchkey = new Latchkey(origin);
    return new Promise<{ code: string; url: string; token: Promise<string>; latchkey: Latchkey }>((resolve, reject) => {
      const token: Promise<string> = latchkey.link({
        ...{ name: "A test", access: "read", ...more },
        onCode: ({ code, url }) => setTimeout(() => resolve({ code, url, token, latchkey })),
      });
      token.catch(reject);
    });
  };

  test("shows a code and waits; the token is of its own, with the access that was asked for", async () => {
    const { alice } = await assemble();
    const { code, url, token, latchkey } = await ask();
    expect([code, url]).toEqual([expect.stringMatching(/^[A-Z]{6}$/), `${origin}/link?code=${code}`]);
    await approve(code, alice);
    expect(await token).toMatch(/^lkt?_[\w-]{43}$/);
    expect(await latchkey.me()).toMatchObject({ username: alice.username, token: { name: "A test", access: "read" } });
  });

  test("a denial ends it at once", async () => {
    const { alice } = await assemble();
    const { code, token } = await ask();
    await deny(code, alice);
    await expect(token).rejects.toMatchObject({ code: "link_denied" });
  });

  test("the signal ends it, with its reason", async () => {
    const leaving = new AbortController();
    const { token } = await ask({ signal: leaving.signal });
    const reason = new Error("enough");
    leaving.abort(reason);
    await expect(token).rejects.toBe(reason);
  });

  test("a name that is not allowed is refused before anything is shown", async () => {
    const shown: string[] = [];
    const asked = new Latchkey(origin).link({ name: "\u202e", onCode: ({ code }) => shown.push(code) });
    await expect(asked).rejects.toMatchObject({ code: "invalid_parameter" });
    expect(shown).toEqual([]);
  });
});
