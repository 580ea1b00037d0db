import { beforeAll, describe, expect, test } from "vitest";
import { ALL_KEYS_A_PAGE, type FindBy, keyFacts, listAllKeys } from "@/lib/keys/operator";
import { newId } from "@/lib/platform/ids";
import { add, newKey, type People, people } from "./keys";

const SECRET = `marked secret ${newId()}`;
const prefix = newId().slice(0, 8);
let [creator, holder] = [] as unknown as People;
const ids: string[] = [];

beforeAll(async () => {
  [creator, holder] = await people(2);
  for (let n = 0; n < 60; n++)
    ids.push(await newKey(creator, { data: SECRET, name: `${prefix.toUpperCase()} key ${n % 7}` }));
  for (const id of ids.slice(0, 30)) await add(creator, id, holder);
});

async function all(by: FindBy, text: string) {
  const keys = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listAllKeys(by, text, cursor);
    keys.push(...(page?.keys ?? []));
    expect(page?.keys.length).toBeLessThanOrEqual(ALL_KEYS_A_PAGE);
    if (!page?.next) return keys;
    cursor = page.next;
  }
}

describe("keys are found", () => {
  test("by how their name begins, in any case, in the order of names, each once", async () => {
    const keys = await all("name", `${prefix} KEY`);
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(ids));
    expect(keys.map(({ name }) => name)).toEqual(keys.map(({ name }) => name).sort());
    expect((await all("name", `${prefix} key 3`)).length).toBe(9);
    expect(await all("name", `key ${prefix}`)).toEqual([]);
  });

  test("by their creator and by a holder, latest first", async () => {
    const keys = await all("creator", creator.username.toUpperCase());
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(ids));
    const times = keys.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set((await all("holder", holder.username)).map(({ id }) => id))).toEqual(new Set(ids.slice(0, 30)));
    expect(await listAllKeys("creator", "nobody-at-all")).toBeNull();
  });

  test("without their data, which nothing of it holds", async () => {
    const facts = JSON.stringify([await listAllKeys("creator", creator.username), await keyFacts(ids[0] ?? "")]);
    expect(facts).not.toContain(SECRET);
    expect(await keyFacts(ids[0] ?? "")).toMatchObject({
      creator: creator.username,
      bytes: Buffer.byteLength(SECRET),
      holders: 2,
    });
    expect(await keyFacts(newId())).toBeNull();
  });

  test("with whatever somebody types", async () => {
    for (const text of ["%", "_", "'", "\\", '"', "\0", "\ud800", "é", "🔑", "x".repeat(5_000), "a\u{10ffff}"]) {
      for (const by of ["name", "creator", "holder"] as const) await listAllKeys(by, text);
      const matches = (await listAllKeys("name", `${prefix}${text}`))?.keys ?? [];
      expect([text, matches.length]).toEqual([text, text === "\0" ? ALL_KEYS_A_PAGE : 0]);
    }
  });

  test("from the first page on with a cursor of another list", async () => {
    const first = await listAllKeys("creator", creator.username);
    const written = ['["1","2"]', `["NaN","${"0".repeat(32)}"]`, `["${"9".repeat(99)}","${"0".repeat(32)}"]`];
    const cursors = ["", "x", "bnVsbA", "W10", "A".repeat(100_000), ...written.map((text) => btoa(text))];
    for (const cursor of cursors) expect(await listAllKeys("creator", creator.username, cursor)).toEqual(first);
  });
});
