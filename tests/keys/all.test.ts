import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { keyFacts } from "@/lib/keys/all/facts";
import { ALL_KEYS_A_PAGE, type FindBy, listAllKeys } from "@/lib/keys/all/list";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { makeUser, type TestUser } from "@/tests/support/user";

const SECRET = `marked secret ${newId()}`;
const mark = newId().slice(0, 8);
let creator: TestUser & { role: string };
let holder: TestUser;
const ids: string[] = [];

beforeAll(async () => {
  creator = { ...(await makeUser()), role: "user" };
  holder = await makeUser();
  for (let n = 0; n < 60; n++)
    ids.push((await createKey(creator, { data: SECRET, price: "1", name: `${mark.toUpperCase()} key ${n % 7}` })).id);
  for (const id of ids.slice(0, 30)) await addHolder(creator, await findKey(creator, id), holder.username);
});

/** Every key, page by page. */
async function all(by: FindBy, text: string) {
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listAllKeys(by, text, cursor);
    found.push(...(page?.keys ?? []));
    expect(page?.keys.length).toBeLessThanOrEqual(ALL_KEYS_A_PAGE);
    if (!page?.next) return found;
    cursor = page.next;
  }
}

describe("keys are found", () => {
  test("by how their name begins, in any case, in the order of names, each once", async () => {
    const found = await all("name", `${mark} KEY`);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids));
    expect(found.map(({ name }) => name)).toEqual(found.map(({ name }) => name).sort());
    expect((await all("name", `${mark} key 3`)).length).toBe(9);
    expect(await all("name", `key ${mark}`)).toEqual([]);
  });

  test("by their creator and by a holder, latest first", async () => {
    const made = await all("creator", creator.username.toUpperCase());
    expect(new Set(made.map(({ id }) => id))).toEqual(new Set(ids));
    expect(made.map(({ createdAt }) => createdAt.getTime())).toEqual(
      made.map(({ createdAt }) => createdAt.getTime()).sort((a, b) => b - a),
    );
    expect(new Set((await all("holder", holder.username)).map(({ id }) => id))).toEqual(new Set(ids.slice(0, 30)));
    expect(await listAllKeys("creator", "nobody-at-all")).toBeNull();
  });

  test("without their data, which nothing of it holds", async () => {
    const told = JSON.stringify([await listAllKeys("creator", creator.username), await keyFacts(ids[0] ?? "")]);
    expect(told).not.toContain(SECRET);
    expect(await keyFacts(ids[0] ?? "")).toMatchObject({
      creator: creator.username,
      bytes: Buffer.byteLength(SECRET),
      holders: 2,
    });
    expect(await keyFacts(newId())).toBeNull();
  });

  test.each(["%", "_", "'", "\\", '"', "\0", "\ud800", "é", "🔑", "x".repeat(5_000), "a\u{10ffff}"])(
    "with whatever somebody types: %j",
    async (typed) => {
      for (const by of ["name", "creator", "holder"] as const) await listAllKeys(by, typed);
      expect((await listAllKeys("name", `${mark}${typed}`))?.keys ?? []).toHaveLength(
        typed === "\0" || typed === "\ud800" ? (typed === "\0" ? ALL_KEYS_A_PAGE : 0) : 0,
      );
    },
  );

  test.each([
    "",
    "x",
    "bnVsbA",
    "W10",
    Buffer.from('["1","2"]').toString("base64url"),
    Buffer.from(`["NaN","${"0".repeat(32)}"]`).toString("base64url"),
    Buffer.from(`["${"9".repeat(99)}","${"0".repeat(32)}"]`).toString("base64url"),
    "A".repeat(100_000),
  ])("and a cursor of another list is the first page: %.20s", async (cursor) => {
    const first = await listAllKeys("creator", creator.username);
    expect(await listAllKeys("creator", creator.username, cursor)).toEqual(first);
  });
});
