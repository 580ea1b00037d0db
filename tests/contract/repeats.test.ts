import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { rotateToken } from "@/lib/accounts/identity/token";
import { db } from "@/lib/platform/db/client";
import { sweepResults } from "@/lib/platform/requests/results";
import { DAY_MS } from "@/lib/platform/time";
import { type Answer, ask } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";

const SECRET = "a secret of forty characters, never stored";

/** Someone who has a key with a holder, and the id of a request. */
async function situation() {
  const [creator, holder, other] = (await makeUsers(3)) as [TestUser, TestUser, TestUser];
  const key = await newKey(creator, { data: SECRET });
  await share(creator, key, holder);
  return { creator, holder, other, key, request: randomUUID() };
}
type Situation = Awaited<ReturnType<typeof situation>>;

interface Repeatable {
  call(of: Situation): [TestUser, string, Record<string, string>];
  /** What somebody does before the request is repeated: a second effect would undo it. */
  between?(of: Situation): Promise<unknown>;
}

const change = (field: string, data: string) => (of: Situation) =>
  as(of.creator, `/keys/update/${of.key}`, { key: field, data });
const again = ({ creator, key, holder }: Situation) => share(creator, key, holder);
const revoked = ({ creator, key, other }: Situation) => as(creator, `/keys/revoke/${key}`, { user: other.username });
const inAnHour = String(Math.floor(Date.now() / 1_000) + 3_600);

/** Each route that changes something for a user. */
const REPEATABLE: Record<string, Repeatable> = {
  "/keys/create": { call: ({ creator }) => [creator, "/keys/create", { data: SECRET, price: "2.50", name: "New" }] },
  "/keys/update/{id}": {
    call: ({ creator, key }) => [creator, `/keys/update/${key}`, { key: "name", data: "first" }],
    between: change("name", "second"),
  },
  "/keys/name/{id}": {
    call: ({ creator, key }) => [creator, `/keys/name/${key}`, { name: "first" }],
    between: change("name", "second"),
  },
  "/keys/admin_add/{id}": {
    call: ({ creator, key, other }) => [
      creator,
      `/keys/admin_add/${key}`,
      { key, username: other.username, until: inAnHour },
    ],
    between: revoked,
  },
  "/keys/revoke/{id}": {
    call: ({ creator, key, holder }) => [creator, `/keys/revoke/${key}`, { user: holder.username }],
    between: again,
  },
  "/keys/admin_remove/{id}": {
    call: ({ creator, key, holder }) => [creator, `/keys/admin_remove/${key}`, { username: holder.username }],
    between: again,
  },
  "/keys/cancel/{id}": { call: ({ holder, key }) => [holder, `/keys/cancel/${key}`, {}], between: again },
  "/keys/delete/{id}": { call: ({ creator, key }) => [creator, `/keys/delete/${key}`, {}] },
};

const effects = async ({ creator, holder }: Situation) => ({
  events: await db.auditEvent.count({
    where: { actorId: { in: [creator.id, holder.id] }, action: { startsWith: "key." } },
  }),
  keys: await db.key.count({ where: { creatorId: creator.id } }),
  holders: await db.holder.count({ where: { key: { creatorId: creator.id } } }),
});

describe("a request that names itself", () => {
  test("is possible on each route that changes something for a user, and on no other", () => {
    const declarations = Object.values(routes).map(({ GET }) => GET.declaration);
    const changing = declarations.filter(({ access, caller }) => access === "change" && caller === "token");
    const named = declarations.filter(({ change: changes }) => changes !== undefined);
    expect(named.map(({ path }) => path).sort()).toEqual(Object.keys(REPEATABLE).sort());
    expect(changing).toEqual(named);
  });

  test.each(Object.entries(REPEATABLE))("%s has one effect, and the same response", async (_, { call, between }) => {
    const of = await situation();
    const [caller, path, query] = call(of);
    const named = { ...query, request: of.request };
    const first = expectSuccess(await as(caller, path, named));
    await between?.(of);
    const before = await effects(of);
    const repeat = expectSuccess(await as(caller, `/v2${path}`, named));
    expect(repeat.text).toBe(first.text);
    expect(await effects(of)).toEqual(before);
    const [stored] = await db.requestResult.findMany({ where: { userId: caller.id } });
    expect(JSON.stringify(stored)).not.toContain(SECRET);
  });

  test("without the parameter, each request has an effect", async () => {
    const user = await makeUser();
    await newKey(user);
    await newKey(user);
    expect((await as(user, "/keys/mine")).list).toHaveLength(2);
    expect(await db.requestResult.count({ where: { userId: user.id } })).toBe(0);
  });

  test("50 at the same time have one effect, and all get its response", async () => {
    for (const { call } of Object.values(REPEATABLE)) {
      const of = await situation();
      const [caller, path, query] = call(of);
      const before = await effects(of);
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => as(caller, path, { ...query, request: of.request })),
      );
      for (const response of responses) expect(expectSuccess(response).text, path).toBe(responses[0]?.text);
      expect((await effects(of)).events - before.events, path).toBe(1);
    }
  });

  test("the last free place of a quota is taken once, by one of them, and the others succeed, too", async () => {
    const user = await makeUser();
    await db.user.update({ where: { id: user.id }, data: { mostKeys: 1 } });
    const query = { data: "x", price: "1", request: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 20 }, () => as(user, "/keys/create", query)));
    for (const response of responses) expect(expectSuccess(response).text).toBe(responses[0]?.text);
  });

  test("is each user's own, whichever token it comes with", async () => {
    const [user, other] = (await makeUsers(2)) as [TestUser, TestUser];
    const query = { data: "x", price: "1", request: "same" };
    const [first, others] = [await as(user, "/keys/create", query), await as(other, "/keys/create", query)];
    expect(expectSuccess(first).body?.key).not.toBe(expectSuccess(others).body?.key);
    const token = await rotateToken(user.id);
    expect((await ask("/keys/create", { query: { ...query, auth: token } })).text).toBe(first.text);
  });

  test("a repeat may come after the end that it asked for", async () => {
    const { creator, key, other, request } = await situation();
    const add = (query: Record<string, string>) => as(creator, `/keys/admin_add/${key}`, query);
    const endingIn = async (seconds: number): Promise<[query: Record<string, string>, first: Answer]> => {
      const until = String(Math.ceil(Date.now() / 1_000) + seconds);
      const query = { key, username: other.username, until, request };
      const answer = await add(query);
      // On a slow machine it may be over before the service is asked.
      return answer.status === 200 ? [query, answer] : endingIn(2 * seconds);
    };
    const [query, first] = await endingIn(1);
    await expect.poll(() => Date.now()).toBeGreaterThan(Number(query.until) * 1_000);
    expect((await add(query)).text).toBe(first.text);
    expectError(await add({ ...query, request: randomUUID() }), 400, "invalid_parameter");
  });

  test("the response to a repeated update has the data and the holders of now", async () => {
    const of = await situation();
    const query = { key: "price", data: "3", request: of.request };
    const first = expectSuccess(await as(of.creator, `/keys/update/${of.key}`, query)).body;
    await change("data", "newer")(of);
    await share(of.creator, of.key, of.other);
    const { body } = expectSuccess(await as(of.creator, `/keys/update/${of.key}`, query));
    expect({ ...body, data: null, users: null }).toEqual({ ...first, data: null, users: null });
    expect(body?.data).toBe("newer");
    expect(Object.keys(body?.users ?? {})).toContain(of.other.username);
    await as(of.creator, `/keys/delete/${of.key}`);
    const deleted = expectSuccess(await as(of.creator, `/keys/update/${of.key}`, query)).body;
    expect(deleted).toMatchObject({ data: null, users: {}, owned: false, price: 3, changed: true });
  });
});

describe("what the parameter refuses", () => {
  test("another request with the same id is 409, and has no effect", async () => {
    const { creator, key, request } = await situation();
    const query = { key: "name", data: "first" };
    expectSuccess(await as(creator, `/keys/update/${key}`, { ...query, request }));
    const others: [string, Record<string, string>][] = [
      [`/keys/update/${key}`, { ...query, data: "second" }],
      [`/keys/update/${NO_KEY}`, query],
      [`/keys/name/${key}`, { name: "first" }],
      ["/keys/create", { data: "x", price: "1" }],
      [`/keys/delete/${key}`, {}],
    ];
    for (const [path, parameters] of others)
      expectError(await as(creator, path, { ...parameters, request }), 409, "request_conflict");
    expect((await as(creator, `/keys/get/${key}`)).body?.name).toBe("first");
  });

  test("an id has 1 to 64 characters; the token is checked before, the key after it", async () => {
    const user = await makeUser();
    const create = (request: string) => as(user, "/keys/create", { data: "x", price: "1", request });
    for (const id of ["a", "Z".repeat(64), "0.9_-~", randomUUID()]) expectSuccess(await create(id));
    for (const id of ["", "a".repeat(65), "a b", "ä", "a/b", "%", "a\n", "\0"])
      expectError(await create(id), 400, "invalid_parameter");
    const twice = `/keys/create?auth=${user.token}&data=x&price=1&request=a&request=a`;
    expectError(await ask(twice), 400, "duplicate_parameter");
    expectError(await ask("/keys/create?data=x&price=1&request=a%20b"), 401, "missing_token");
    expectError(await as(user, `/keys/delete/${NO_KEY}`, { request: "a b" }), 400, "invalid_parameter");
    expect(await db.key.count({ where: { creatorId: user.id } })).toBe(4);
  });

  test("a refusal is not remembered: the same request may succeed later", async () => {
    const user = await makeUser();
    await db.user.update({ where: { id: user.id }, data: { mostKeys: 0 } });
    const query = { data: "x", price: "1", request: randomUUID() };
    expectError(await as(user, "/keys/create", query), 403, "key_limit");
    await db.user.update({ where: { id: user.id }, data: { mostKeys: 1 } });
    expectSuccess(await as(user, "/keys/create", query));
    await db.user.update({ where: { id: user.id }, data: { mostKeys: 0 } });
    expectSuccess(await as(user, "/keys/create", query));
  });
});

test("after a day, an id is as new", async () => {
  const user = await makeUser();
  const query = { data: "x", price: "1", request: randomUUID() };
  const key = async () => expectSuccess(await as(user, "/keys/create", query)).body?.key;
  const first = await key();
  const back = (ms: number) =>
    db.requestResult.updateMany({ where: { userId: user.id }, data: { at: new Date(Date.now() - ms) } });
  await back(DAY_MS - 60_000);
  await sweepResults();
  expect(await key()).toBe(first);
  // The clock was set back.
  await back(-3 * DAY_MS);
  expect(await key()).toBe(first);
  await back(DAY_MS + 1_000);
  const second = await key();
  expect(second).not.toBe(first);
  expect(await key()).toBe(second);
});
