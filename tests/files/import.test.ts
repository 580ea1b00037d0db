import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { received, SLOTS, type Slot } from "@/lib/files/import/arrival";
import { filesSummary } from "@/lib/files/list";
import { db } from "@/lib/platform/db/client";
import { chunks, type Entry, file, idOf, root, smallDocument, values } from "@/tests/support/documents";
import { sized } from "@/tests/support/size";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { documentOf, homeOf } from "./stored";

/** A document of a few MB in chunks of one byte takes seconds. */
const MAX_CHUNKS = 20_000;

const text = fc.string({ unit: "binary", maxLength: 40 });
const drawn = fc.record({
  folder: fc.nat(),
  isFolder: fc.boolean(),
  name: text,
  data: fc.oneof(
    text,
    text.map((part) => `${part}x`.repeat(4_000)),
  ),
  // A folder keeps its list, whatever it holds.
  list: fc.array(fc.nat(40).map(idOf), { maxLength: 5 }),
  asText: fc.boolean(),
  unused: fc.constantFrom(null, "", 0, { any: [true, -1.5e-7] }),
  permissions: fc.array(text, { maxLength: 2 }),
});

const entries = fc.array(drawn, { maxLength: 30 }).map((all) => (username: string): Entry[] => {
  const created: Entry[] = [
    root(
      username,
      all.map((_, n) => idOf(n + 2)),
    ),
  ];
  const paths = [homeOf(username)];
  for (const [n, { folder, isFolder, name, data, list, asText, unused, permissions }] of all.entries()) {
    const common = { location: paths[folder % paths.length] ?? "", id: idOf(n + 2), unused, permissions };
    const folderName = `${name.replaceAll("/", "")}.`;
    if (isFolder) paths.push(`${common.location}/${folderName}`);
    if (isFolder)
      created.push({ ...common, type: ".folder", name: folderName, data: asText ? JSON.stringify(list) : list });
    else created.push({ ...common, type: ".txt", name, data });
  }
  return created;
});

describe("what was imported is read back value for value", () => {
  test("any document, however it is written and in whatever chunks it comes", async () => {
    const user = await makeUser();
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.constantFrom(undefined, 1, "\t\r"),
        fc.integer({ min: 1, max: 5_000 }),
        async (make, space, size) => {
          const document = make(user.username).flatMap(values);
          const written = JSON.stringify(document, null, space);
          const summary = await importDocument(
            user,
            chunks(written, Math.max(size, Math.ceil(written.length / MAX_CHUNKS))),
          );
          const stored = await documentOf(user);
          expect(JSON.parse(stored)).toEqual(document);
          const stands = { entries: document.length / 14, bytes: Buffer.byteLength(stored) };
          const report = { total: stands.entries, taken: stands.entries, reasons: [], refused: [] };
          expect(summary).toEqual({ ...stands, ...report, notes: expect.any(Array) });
          expect(await filesSummary(user.id)).toEqual(stands);
        },
      ),
      { numRuns: sized(8, 60) },
    );
  });

  test("the text of every number and string stays as it was written", async () => {
    const user = await makeUser();
    const home = `origin/(c) users/${user.username}`;
    const written =
      `[".folder","${user.username}","origin/(c) ` +
      `users",[],1.0,1e3,-0.00,"",12345678901234567890,1E+2,"\\u0041\\/",1e400,[],"${idOf(1)}",` +
      `".txt","\\ud800","${home}","\\u0000\\ud83d\\ude00😀",` +
      `{"a":[1.50,{"a":2}]},0,0,null,0,0,0,0,null,"${idOf(2)}"]`;
    await importDocument(user, chunks(written, 1));
    expect(await documentOf(user)).toBe(written);
  });

  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-16 LE", (text: string) => Buffer.from(text, "utf16le")],
    ["UTF-16 BE", (text: string) => Buffer.from(text, "utf16le").swap16()],
  ] as const)("a document in %s, with a byte order mark or without, in whatever chunks it comes", async (_, encode) => {
    const user = await makeUser();
    const text = JSON.stringify(smallDocument(user.username, "\ufeffäß日本 😀".repeat(20)));
    for (const size of [1, 2, 3, 7, 50_000])
      for (const written of [encode(text), encode(`\ufeff${text}`), encode(`\ufeff \n${text}`)]) {
        await importDocument(user, chunks(written, size));
        expect(await documentOf(user)).toBe(text);
      }
  });

  test("entries of every size around that of a piece", async () => {
    const user = await makeUser();
    const sizes = [0, 100, 196_000, 196_600, 262_000, 262_143, 262_144, 262_145, 524_288, 700_000, 1, 2, 300_000, 3];
    const document = [
      ...values(root(user.username)),
      ...sizes.flatMap((size, index) => values(file(user.username, index + 2, `${index}`.padEnd(size, "ä\\")))),
    ];
    await importDocument(user, chunks(JSON.stringify(document), 50_001));
    expect(JSON.parse(await documentOf(user))).toEqual(document);
  });
});

describe("a document of another user", () => {
  test("gets this user's name in the root's name and in the locations, and nowhere else", async () => {
    const user = await makeUser();
    const name = 'Ann "the\\ cat"';
    const document = [
      ...smallDocument(name, `origin/(c) users/${name}/docs`),
      ...values({ ...file(name, 7, name, name), permissions: [name] }),
      ...values({ type: ".folder", name, location: `origin/(c) users/${name}`, data: [idOf(9)], id: idOf(8) }),
      ...values({ ...file(name, 9, ""), location: `origin/(c) users/${name}/${name}` }),
    ];
    const home = `origin/(c) users/${user.username}`;
    const expected = document.with(1, user.username);
    for (let at = 2 + 14; at < document.length; at += 14)
      expected[at] = String(document[at]).replace(`origin/(c) users/${name}`, home);

    await importDocument(user, chunks(JSON.stringify(document), 11));
    expect(JSON.parse(await documentOf(user))).toEqual(expected);
    expect(expected.at(-14 + 2)).toBe(`${home}/${name}`);
  });
});

const { graceMs } = SLOTS;
afterEach(() => Object.assign(SLOTS, { graceMs }));

const importing = (user: TestUser, network: string, source = chunks(JSON.stringify(smallDocument(user.username)))) =>
  importDocument(user, source, { network }).then(
    () => "done",
    (error) => error?.code ?? String(error),
  );

/** Clients that send a byte now and then, until they are told to go away; `outcomes` has those that were refused. */
async function dripping(count: number, networkOf: (n: number) => string) {
  const ended = new AbortController();
  const outcomes: string[] = [];
  const users = await makeUsers(count);
  const refused = new Set<TestUser>();
  let begun = 0;
  async function* source() {
    begun++;
    while (!ended.signal.aborted) {
      yield Buffer.from(" ");
      await sleep(20, undefined, { signal: ended.signal }).catch(() => {});
    }
    throw new Error("the client went away");
  }
  const all = users.map(async (user, n) => {
    const outcome = await importing(user, networkOf(n), source());
    if (!ended.signal.aborted) refused.add(user);
    outcomes.push(outcome);
  });
  const end = async () => {
    ended.abort();
    await Promise.all(all);
    return outcomes;
  };
  onTestFinished(async () => void (await end()));
  await expect.poll(() => begun).toBe(count);
  return { users, refused, end };
}
const everywhere = (n: number) => `198.51.100.${n}`;

// One after another: the places are the process's.
describe("places to import", { sequential: true }, () => {
  test("go to those who wait if their holders send too slowly", async () => {
    SLOTS.graceMs = 300;
    const { end } = await dripping(8, everywhere);
    await sleep(2 * SLOTS.graceMs);
    for (const [n, user] of (await makeUsers(3)).entries())
      expect(await importing(user, `203.0.113.${n}`)).toBe("done");
    const slow = (await end()).filter((code) => code === "too_slow");
    expect([1, 2, 3]).toContain(slow.length);
  });

  test("are eight, left to slow holders while these have only begun; who gets none is told when to come", async () => {
    const { users, end } = await dripping(8, everywhere);
    const late = await makeUser();
    let isEnded = false;
    async function* document() {
      try {
        yield* chunks(JSON.stringify(smallDocument(late.username)));
      } finally {
        isEnded = true;
      }
    }
    await expect(importDocument(late, document(), { network: "203.0.113.1" })).rejects.toMatchObject({
      status: 503,
      code: "too_many_imports",
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    });
    expect(isEnded).toBe(true);
    expect(await end()).not.toContain("too_slow");
    const userId = { in: [...users, late].map(({ id }) => id) };
    expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
    for (const user of users) expect(await importing(user, "203.0.113.1")).toBe("done");
  });

  test("are not all for one network, nor two for one user", async () => {
    const network = "198.51.100.1";
    const { users, refused, end } = await dripping(4, () => network);
    const elsewhere = await makeUsers(5);
    for (const user of elsewhere.slice(1)) expect(await importing(user, network)).toBe("too_many_imports");
    for (const user of elsewhere.slice(0, 1)) expect(await importing(user, "203.0.113.1")).toBe("done");
    for (const user of users) expect(await importing(user, "203.0.113.1", chunks("[]"))).toBe("import_running");
    expect(refused.size).toBe(0);
    await end();
    for (const user of elsewhere.slice(1)) expect(await importing(user, network)).toBe("done");
  });
});

const slot = (): Slot => ({
  names: [],
  began: Date.now(),
  arrived: 0,
  waitedMs: 0,
  waitsSince: undefined,
  eviction: new AbortController(),
});

test("a running import holds none of the chunks that have passed", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const passed: WeakRef<Uint8Array>[] = [];
  async function* source() {
    for (let n = 0; n < 50; n++) {
      const chunk = new Uint8Array(64 * 1024);
      passed.push(new WeakRef(chunk));
      yield chunk;
    }
  }
  const arriving = received(source(), slot());
  for (let n = 0; n < 50; n++) await arriving.next();
  await sleep(10);
  collect();
  // The last one may still be on its way.
  expect(passed.filter((chunk) => chunk.deref()).length).toBeLessThanOrEqual(1);
  await arriving.return(undefined);
});

test("a running import that loses its place ends immediately, whether or not it waits for its sender", async () => {
  async function* silent(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    await new Promise(() => {});
  }
  for (const isWaiting of [true, false]) {
    const position = slot();
    const arriving = received(silent(), position);
    await arriving.next();
    const next = isWaiting ? arriving.next() : undefined;
    position.eviction.abort(new Error("too slow"));
    await expect(next ?? arriving.next()).rejects.toThrow("too slow");
  }
});
