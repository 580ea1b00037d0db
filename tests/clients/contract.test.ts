import { afterAll, describe, expect, test } from "vitest";
import { Latchkey } from "@/clients/typescript/src/latchkey";
import { ALICE, KEY, TOKEN } from "@/lib/api/example-values";
import { importDocument } from "@/lib/files/import";
import { assemble, BEFORE, type Cast, described, inTheirWords, operations, swap } from "@/tests/contract/described";
import { newKey, share } from "@/tests/contract/keys";
import { approve, deny } from "@/tests/contract/link";
import { chunks, file, root, smallDocument, values } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { CALLS, type ClientCall, WITHOUT_CALL } from "./calls";
import { CLIENTS, PythonClient } from "./clients";
import { faultyWay } from "./servers";

/** The contract through the clients: what each makes of requests and answers. */

const NO_KEY = "0".repeat(32);

const exampleOf = (path: string) =>
  described.paths[path]?.get.responses["200"]?.content?.["application/json"]?.example as unknown[];

test("what the clients have no call for are routes", () => {
  expect(operations.map(([path]) => path)).toEqual(expect.arrayContaining(WITHOUT_CALL));
});

describe.each(["python", "typescript"] as const)("%s", (language) => {
  const client = new CLIENTS[language](origin);
  afterAll(() => client[Symbol.dispose]());

  const replay = ({ words }: Cast, [method, given]: ClientCall, token = TOKEN) =>
    client.call(method, JSON.parse(swap(JSON.stringify(given), words)), swap(token, words));

  test.each(Object.entries(CALLS))("the example of %s", async (path, call) => {
    const cast = await assemble();
    await BEFORE[path]?.(cast);
    const { answer, error } = await replay(cast, call);
    expect(error).toBeUndefined();
    expect(inTheirWords(JSON.stringify(answer), cast, path)).toEqual(exampleOf(path));
  });

  test("access has an end, another one, and none", async () => {
    const { alice, bob, words } = await assemble();
    const given = { key: swap(KEY, words), username: bob.username };
    const add = (until: string) => client.call("keys.admin_add", { ...given, until }, alice.token);
    const check = () => client.call("keys.check", given, alice.token);
    expect((await add("2096-10-02T07:06:40Z")).answer).toMatchObject({ added: true, until: 4_000_000_000 });
    expect((await check()).answer).toMatchObject({ owned: true, until: 4_000_000_000 });
    expect((await add("never")).answer).toMatchObject({ added: false, changed: true });
    expect((await check()).answer).not.toHaveProperty("until");
  });

  const asBob = (cast: Cast) => cast.bob.token;
  const disabled = async () => ((await makeUsers(1, { disabledAt: new Date() })) as [TestUser])[0].token;
  test.each<[string, number, string, ClientCall, ((cast: Cast) => string | Promise<string>)?]>([
    ["InvalidToken", 401, "invalid_token", ["me", {}], () => `lk_${"x".repeat(43)}`],
    ["MissingToken", 401, "missing_token", ["me", {}], () => ""],
    ["AccountDisabled", 403, "account_disabled", ["keys.mine", {}], disabled],
    ["KeyNotFound", 404, "key_not_found", ["keys.delete", { key: NO_KEY }]],
    ["KeyNotFound", 404, "key_not_found", ["keys.get", { key: "../mine?a#b" }]],
    ["UserNotFound", 404, "user_not_found", ["keys.admin_add", { key: KEY, username: "nobody-at-all" }]],
    ["CreatorAccess", 400, "creator_access", ["keys.revoke", { key: KEY, user: ALICE }]],
    ["NotCreator", 403, "not_creator", ["keys.update", { key: KEY, name: "Mine" }], asBob],
    ["InvalidParameter", 400, "invalid_parameter", ["keys.create", { data: "\ud800", price: 1 }]],
    ["InvalidParameter", 400, "invalid_parameter", ["keys.create", { data: "x", price: "1e5" }]],
    ["NoFiles", 404, "no_files", ["files.read", {}]],
    ["NoFiles", 404, "no_files", ["files.get", { path: "docs" }]],
    ["NoFiles", 404, "no_files", ["files.index", {}]],
  ])("an error has its code: %s (%i %s): %j", async (name, status, code, call, tokenOf = () => TOKEN) => {
    const cast = await assemble();
    const { error } = await replay(cast, call, await tokenOf(cast));
    expect(error?.slice(0, 3)).toEqual([name, code, status]);
  });

  test("every character of data arrives as it was sent, and a page follows the other", async () => {
    const [user, other] = (await makeUsers(2)) as [TestUser, TestUser];
    const data = ['ä&=+%20 /?#"\\', "\u2028\ud83d\ude00\n\t\u0001", "x".repeat(10_000)];
    for (const one of data)
      expect((await client.call("keys.create", { data: one, price: 0.00001 }, user.token)).error).toBeUndefined();
    await Promise.all(Array.from({ length: 60 }, (_, n) => newKey(user, { name: String(n) })));
    const { answer } = await client.call("keys.mine", {}, user.token);
    const mine = answer as { id: string; data: string; price: number }[];
    expect(new Set(mine.map(({ id }) => id)).size).toBe(63);
    expect(mine.slice(0, 3).map(({ data, price }) => [data, price])).toEqual(data.map((one) => [one, 0.00001]));
    await share(user, mine[0]?.id ?? "", other);
    const held = (await client.call("keys.mine", {}, other.token)).answer;
    expect(held).toMatchObject([{ data: data[0], isCreator: false }]);
  });

  test("files are what was imported, and only what has changed is fetched", async () => {
    const cast = await assemble();
    await BEFORE["/read-files"]?.(cast);
    const entries = async (unless?: string) =>
      (await client.call("files.read", { unless }, cast.alice.token)).answer as Read | null;
    const first = await entries();
    const shown = inTheirWords(JSON.stringify(first?.entries), cast, "/read-files");
    expect(shown).toEqual(inPlaces(exampleOf("/read-files")));
    expect(await entries(first?.etag)).toBeNull();
    const document = smallDocument(cast.alice.username, "changed");
    await importDocument(cast.alice, chunks(JSON.stringify(document)));
    expect((await entries(first?.etag))?.entries).toEqual(inPlaces(document));
  });
  type Read = { etag: string; entries: unknown[][] };

  test("one entry, a folder and an index are parts of what was imported", async () => {
    const user = await makeUser();
    const document = smallDocument(user.username, "h\u00e9llo");
    await importDocument(user, chunks(JSON.stringify(document)));
    const [root, docs, inside, beside] = inPlaces(document);
    const call = async (method: string, given: object) => {
      const { answer, error } = await client.call(`files.${method}`, given, user.token);
      expect(error).toBeUndefined();
      return answer as Read | null;
    };
    const content = Buffer.from("h\u00e9llo").toString("base64");
    for (const given of [{ path: "docs/a / b.txt" }, { path: "/DOCS/a / b.txt/" }, { id: inside?.at(-1) }])
      expect(await call("get", given)).toEqual({ entry: inside, content });
    for (const given of [{ path: "docs" }, { id: docs?.at(-1) }])
      expect(await call("get", given)).toEqual({ entry: docs, content: null });
    expect(await call("read", { under: "docs" })).toMatchObject({ entries: [docs, inside] });
    const listed = (entries: (unknown[] | undefined)[]) =>
      entries.map((entry = []) => [...entry.slice(0, 3), entry[9], entry[11]]);
    const index = await call("index", {});
    expect(index?.entries).toEqual(listed([root, docs, inside, beside]));
    expect(await call("index", { unless: index?.etag })).toBeNull();
    expect((await call("index", { under: String(docs?.at(-1)) }))?.entries).toEqual(listed([docs, inside]));
    for (const [method, given, name] of [
      ["get", { path: "docs/none" }, "NoSuchEntry"],
      ["get", { id: NO_KEY }, "NoSuchEntry"],
      ["read", { under: "none" }, "NoSuchEntry"],
      ["index", { under: "none" }, "NoSuchEntry"],
      ["get", { path: "" }, "InvalidParameter"],
      ["read", { under: "docs/a / b.txt" }, "InvalidParameter"],
    ] as const)
      expect((await client.call(`files.${method}`, given, user.token)).error?.[0], JSON.stringify(given)).toBe(name);
  });

  test("an index, which has no ranges, is the same after its transfer broke", async () => {
    const user = await makeUser();
    const files = Array.from({ length: 2_000 }, (_, n) => file(user.username, n + 2, "text"));
    const ids = files.map(({ id }) => id);
    await importDocument(user, chunks(JSON.stringify([root(user.username, ids), ...files].flatMap(values))));
    // The second break is before what has arrived already.
    const cuts = [200_000, 50_000, 300_000];
    using way = await faultyWay(origin, () => {
      const after = cuts.shift();
      return after === undefined ? { kind: "none" } : { kind: "cut", after };
    });
    using program = new CLIENTS[language](way.url, user.token);
    const whole = await client.call("files.index", {}, user.token);
    expect(await program.call("files.index")).toEqual(whole);
    expect(way.counts.get("cut")).toBe(3);
    expect((whole.answer as Read).entries).toHaveLength(2_001);
  });

  /** The entries of a document as the clients tell them. */
  function inPlaces(document: unknown[]): unknown[][] {
    return Array.from({ length: document.length / 14 }, (_, n) => {
      const [type, name, location, data, , x, y, , ...rest] = document.slice(n * 14, n * 14 + 14);
      if (type !== ".folder") return [type, name, location, data, x, y, ...rest];
      const children = typeof data === "string" ? JSON.parse(data) : data;
      return [type, name, location, language === "python" ? children : [], x, y, ...rest];
    });
  }

  describe.concurrent("linking", () => {
    const begin = async (given: object = {}) => {
      const program = new CLIENTS[language](origin);
      const { code, error } = await program.call("link", given);
      expect(error).toBeUndefined();
      const [letters = "", ...shown] = code ?? [];
      expect(letters).toMatch(/^[A-Z]{6}$/);
      expect(shown).toEqual([expect.stringMatching(new RegExp(`/link\\?code=${letters}$`)), expect.any(Number)]);
      return { program, letters };
    };

    test("shows a code, and gets the token of who confirms it", async () => {
      const user = await makeUser();
      const { program, letters } = await begin();
      using _ = program;
      await approve(letters, user);
      expect(await program.outcome()).toEqual({ answer: user.token });
      const { answer } = await program.call("me", {}, user.token);
      expect(answer).toMatchObject({ username: user.username, token: { access: "everything" } });
    });

    test("names the program and the access that it needs", async () => {
      const user = await makeUser();
      const { program, letters } = await begin({ name: "Backup", access: "identity" });
      using _ = program;
      await approve(letters, user);
      const token = String((await program.outcome()).answer);
      expect(token).toMatch(/^lkt_[\w-]{49}$/);
      expect((await program.call("me", {}, token)).answer).toEqual({
        id: user.id,
        username: user.username,
        role: "user",
      });
      const { error } = await program.call("keys.mine", {}, token);
      expect(error?.slice(0, 3)).toEqual(["TokenAccess", "token_access", 403]);
    });

    test("stops at once when the user denies it", async () => {
      const { program, letters } = await begin();
      using _ = program;
      await deny(letters, await makeUser());
      expect((await program.outcome()).error?.slice(0, 2)).toEqual(["LinkDenied", "link_denied"]);
    });

    test("is refused for a name or an access that is not allowed, before anything is shown", async () => {
      using program = new CLIENTS[language](origin);
      for (const given of [{ access: "all" }, { name: "\u202e" }]) {
        const { code, error } = await program.call("link", given);
        expect([code, ...(error ?? []).slice(0, 3)]).toEqual([undefined, "InvalidParameter", "invalid_parameter", 400]);
      }
    });
  });
});

test("python refuses a token of two lines", async () => {
  using client = new PythonClient(origin);
  const { error } = await client.call("me", {}, "two\nlines");
  expect(error?.slice(0, 3)).toEqual(["InvalidToken", "invalid_token", 401]);
});

test("typescript says with which request it was refused, and that nothing happened", async () => {
  const latchkey = new Latchkey(origin, { token: (await makeUser()).token });
  await expect(latchkey.keys.create({ data: "x", price: Number.NaN })).rejects.toMatchObject({
    ...{ name: "LatchkeyError", code: "invalid_parameter", status: 400, mayHaveHappened: false },
    requestId: expect.stringMatching(/^[\w-]{10,}$/),
  });
  expect([await latchkey.health(), await latchkey.ready()]).toEqual([exampleOf("/health"), exampleOf("/ready")]);
});

test("typescript stops linking when the signal says so, with its reason", async () => {
  const [leaving, reason] = [new AbortController(), new Error("enough")];
  const onCode = () => setTimeout(() => leaving.abort(reason));
  await expect(new Latchkey(origin).link({ signal: leaving.signal, onCode })).rejects.toBe(reason);
});
