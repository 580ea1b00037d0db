import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Answer } from "@/tests/support/request";
import { type Act, anyOf, type Household, type Key, type Person, random } from "./household";

/** So many that lists have pages, so few that reading them all is quick. */
const MOST_KEYS = 40;
const LARGE_DATA = 60_000;

type Body = NonNullable<Answer["body"]>;

const people = ({ owner, friend, stranger }: Household) => [owner, friend, stranger];

/** Some of it needs percent-encoding, some of it is large. */
function newData(): string {
  const tag = randomBytes(9).toString("base64");
  if (random(20) === 0) return tag.repeat(LARGE_DATA / tag.length);
  return `${tag} ä\u{1F511} "&=+%`;
}

/** Holds a record to what `person` must see of `key` (contract, section 2). */
function checkRecord(body: Body, key: Key, person: Person): void {
  const [creator] = key.holders;
  const holds = key.holders.has(person.username);
  const isCreator = creator === person.username;
  const { users, updatedAt, success, status, message, changed, ...record } = body;
  const expected = {
    key: key.id,
    id: key.id,
    name: key.name,
    type: "standard",
    price: key.price,
    creator,
    createdAt: key.createdAt,
  };
  assert.deepEqual(record, { ...expected, isCreator, owned: holds, owns: holds, data: holds ? key.data : null });
  assert.deepEqual(
    Object.keys(Object(users)).sort(),
    isCreator ? [...key.holders].sort() : holds ? [person.username] : [],
  );
  assert.ok(String(updatedAt) >= key.createdAt, "a key is not changed before it is made");
}

/** Takes up a key that was made although nobody waited for the answer. */
export function adopt(home: Household, body: Body): void {
  const id = String(body.key);
  if (home.keys.has(id) || !home.maybe.delete(String(body.data))) return;
  home.keys.set(id, {
    id,
    data: String(body.data),
    name: "",
    price: Number(body.price),
    createdAt: String(body.createdAt),
    holders: new Set([home.owner.username]),
  });
}

export const create: Act = async (home) => {
  if (home.keys.size >= MOST_KEYS) return remove(home);
  const { client, owner, keys } = home;
  const [data, name, price] = [
    newData(),
    random(2) ? `name ${random(1000)}` : undefined,
    anyOf(["1", "0.5", "-1", "12.340000", "0"]) ?? "",
  ];
  const { body } = await client.ask("/keys/create", 200, { auth: owner.token, data, price, name });
  const key: Key = {
    id: String(body?.key),
    data,
    name: name ?? "",
    price: Number(price),
    createdAt: String(body?.createdAt),
    holders: new Set([owner.username]),
  };
  assert.match(key.id, /^[0-9a-f]{32}$/);
  assert.ok(!keys.has(key.id), "an id is given out once");
  assert.ok(Math.abs(Date.parse(key.createdAt) - Date.now()) < 60_000, `made at ${key.createdAt}`);
  checkRecord(body ?? {}, key, owner);
  keys.set(key.id, key);
};

export const read: Act = async (home) => {
  const key = anyOf(home.keys.values());
  if (!key) return create(home);
  const person = anyOf(people(home)) ?? home.owner;
  const answer = await home.client.ask("/keys/get/{id}", 200, { id: key.id, auth: person.token });
  checkRecord(answer.body ?? {}, key, person);
  const withHeader = await home.client.ask(
    "/keys/get/{id}",
    200,
    { id: key.id },
    { headers: { Authorization: `Bearer ${person.token}` } },
  );
  assert.equal(withHeader.text, answer.text, "the token may come in a header");
};

export const list: Act = async (home) => {
  for (const person of people(home)) {
    const whole = (await home.client.ask("/keys/mine", 200, { auth: person.token })).list;
    for (const body of whole) adopt(home, body);
    const held = [...home.keys.values()].filter(({ holders }) => holders.has(person.username));
    assert.deepEqual(whole.map(({ key }) => key).sort(), held.map(({ id }) => id).sort());
    for (const body of whole) checkRecord(body, home.keys.get(String(body.key)) ?? fail(body.key), person);
    const times = whole.map(({ createdAt }) => String(createdAt));
    assert.deepEqual(times, [...times].sort(), "the oldest comes first");
  }
};

export const listByPages: Act = async ({ client, owner, keys, maybe }) => {
  if (maybe.size > 0) return;
  const seen: unknown[] = [];
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { list: page, headers } = await client.ask("/keys/mine", 200, { auth: owner.token, limit: 7, after });
    seen.push(...page.map(({ key }) => key));
    const next = /[?&]after=([^&>]+)>; rel="next"/.exec(String(headers.link ?? ""))?.[1];
    assert.equal(page.length, next ? 7 : Math.min(7, page.length), "a page that has a next one is full");
    after = next && decodeURIComponent(next);
    isLast = next === undefined;
  }
  assert.deepEqual([...seen].sort(), [...keys.keys()].sort());
};

export const check: Act = async (home) => {
  const key = anyOf(home.keys.values());
  if (!key) return create(home);
  for (const person of people(home)) {
    const { body } = await home.client.ask("/keys/check/{username}", 200, { username: person.username, key: key.id });
    const owned = key.holders.has(person.username);
    assert.deepEqual(body, { owned, owns: owned, username: person.username, key: key.id });
  }
};

export const share: Act = async (home) => {
  const { client, owner, friend, keys } = home;
  const key = anyOf(keys.values());
  if (!key) return create(home);
  const { body } = await client.ask("/keys/admin_add/{id}", 200, {
    id: key.id,
    auth: owner.token,
    key: key.id,
    username: friend.username,
  });
  assert.deepEqual([body?.key, body?.user, body?.added], [key.id, friend.username, !key.holders.has(friend.username)]);
  key.holders.add(friend.username);
};

export const revoke: Act = async (home) => {
  const { client, owner, friend, keys } = home;
  const key = anyOf(keys.values());
  if (!key) return create(home);
  const holds = key.holders.has(friend.username);
  // A holder may give a key back; who does not hold it may not ask for that twice in the owner's name.
  const by = holds && random(2) ? friend : owner;
  const { body } = await client.ask("/keys/revoke/{id}", 200, { id: key.id, auth: by.token, user: friend.username });
  assert.deepEqual([body?.key, body?.user, body?.revoked], [key.id, friend.username, holds]);
  key.holders.delete(friend.username);
};

export const update: Act = async (home) => {
  const { client, owner, keys } = home;
  const key = anyOf(keys.values());
  if (!key) return create(home);
  const change = anyOf([
    { key: key.id, data: newData() },
    { key: "data", data: anyOf(["", "5", "true", '{"a":1}']) ?? "" },
    { key: "name", data: `renamed ${random(1000)}` },
    { key: "price", data: String(random(100_000) / 100) },
    { key: "data", data: undefined },
  ]);
  const { body } = await client.ask("/keys/update/{id}", 200, { id: key.id, auth: owner.token, ...change });
  assert.equal(body?.changed, change?.data !== undefined);
  if (change?.data !== undefined) {
    if (change.key === "name") key.name = change.data;
    else if (change.key === "price") key.price = Number(change.data);
    else key.data = change.data;
  }
  checkRecord(body ?? {}, key, owner);
};

export const remove: Act = async (home) => {
  const { client, owner, keys } = home;
  const key = anyOf(keys.values());
  if (!key) return create(home);
  const { body } = await client.ask("/keys/delete/{id}", 200, { id: key.id, auth: owner.token });
  assert.equal(body?.key, key.id);
  keys.delete(key.id);
  await client.ask("/keys/get/{id}", [404, "key_not_found"], { id: key.id, auth: owner.token });
};

/** Asks for a key to be made and does not wait for the answer: it may be made, whole, or not. */
export const createAndGoAway: Act = async ({ client, owner, maybe }) => {
  const data = newData();
  maybe.add(data);
  await client.breakOff("/keys/create", { auth: owner.token, data, price: 1 }, random(8));
};

function fail(id: unknown): never {
  assert.fail(`nobody made the key ${id}`);
}
