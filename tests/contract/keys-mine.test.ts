import { beforeAll, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, newKey, share } from "./keys";

let user: TestUser;
let ids: string[];
beforeAll(async () => {
  const other = await makeUser();
  user = await makeUser();
  ids = [];
  for (let index = 0; index < 7; index++)
    ids.push(await newKey(index === 3 ? other : user, { data: `secret ${index}`, name: `key ${index}` }));
  await share(other, ids[3] ?? "", user);
});

const keysOf = (list: Record<string, unknown>[]) => list.map(({ key }) => key);

/** Follows the Link headers from the first page on. */
async function pages(limit: number): Promise<Record<string, unknown>[][]> {
  const found: Record<string, unknown>[][] = [];
  for (let path: string | undefined = `/keys/mine?limit=${limit}`; path; ) {
    const answer = expectSuccess(await ask(path, { headers: { Authorization: `Bearer ${user.token}` } }));
    found.push(answer.list);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? "")) ?? [];
    expect(next ?? origin).toMatch(new RegExp(`^${origin}`));
    path = next?.slice(origin.length);
  }
  return found;
}

test("lists every key that the caller holds, oldest first, as /keys/get shows it", async () => {
  const { list, headers } = expectSuccess(await as(user, "/keys/mine"));
  expect(keysOf(list)).toEqual(ids);
  expect(list[3]).toMatchObject({ isCreator: false, owned: true, data: "secret 3" });
  for (const record of list) expect(record).toEqual((await as(user, `/keys/get/${record.key}`)).body);
  expect(headers.link).toBeUndefined();
});

test("who holds none gets an empty array", async () => {
  expect(expectSuccess(await as(await makeUser(), "/keys/mine")).text).toBe("[]");
});

test.each([1, 2, 3, 7, 1000])("in pages of %d all of them come, once each and in order", async (limit) => {
  const found = await pages(limit);
  expect(keysOf(found.flat())).toEqual(ids);
  expect(found.length).toBe(Math.max(1, Math.ceil(ids.length / limit)));
});

const BAD_LIMITS = ["0", "-1", "1001", "1.5", "abc", "", "1e3", "007"].map((limit) => ["limit", limit]);
const BAD_PLACES = ["", "x", "0", "null", "MTIz", "a".repeat(1000)].map((after) => ["after", after]);
test.each([...BAD_LIMITS, ...BAD_PLACES])("%s %j is refused by its name", async (name = "", value = "") => {
  const { body } = expectError(await as(user, "/keys/mine", { [name]: value }), 400, "invalid_parameter");
  expect(body?.error).toContain(name);
});

test("the address of the next page holds no token", async () => {
  const { headers } = await ask("/keys/mine", { query: { auth: user.token, limit: 2 } });
  expect(headers.link).toContain('rel="next"');
  expect(headers.link).not.toContain(user.token);
});

test("another user's cursor shows nothing that is not one's own", async () => {
  const { headers } = await as(user, "/keys/mine", { limit: "2" });
  const after = /after=([^&>]+)/.exec(String(headers.link))?.[1];
  const stranger = await makeUser();
  const own = await newKey(stranger);
  expect(keysOf((await as(stranger, "/keys/mine", { after, limit: "5" })).list)).toEqual([own]);
});
