import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { keyRecord } from "@/lib/keys/schema";
import { newId } from "@/lib/platform/ids";
import type { Answer } from "@/tests/support/request";
import type { Act, Household, Key, Person } from "./household";
import { anyOf, random } from "./household";

/** So few that reading them all is quick. */
const MAX_KEYS = 40;
const LARGE_DATA = 60_000;

type Body = Answer["body"];

const people = ({ owner, friend, stranger }: Household) => [owner, friend, stranger];

/** Does it with any of the owner's keys; without one, makes one. */
const withKey = (act: (home: Household, key: Key) => Promise<unknown>): Act => {
  return (home) => (home.keys.size > 0 ? act(home, anyOf(home.keys.values())) : create(home));
};

/** Some of it needs percent-encoding, some of it is large. */
function newData(): string {
  const tag = randomBytes(9).toString("base64");
  return random(20) === 0 ? tag.repeat(LARGE_DATA / tag.length) : `${tag} ä\u{1F511} "&=+%`;
}

/** Holds a record to what `person` must see of `key` (contract, section 2). */
function checkRecord(body: Body, key: Key, person: Person): void {
  const { id, name, price, createdAt, holders } = key;
  const [creator] = holders;
  const isHolder = holders.has(person.username);
  const isCreator = creator === person.username;
  const { users, updatedAt, success, status, message, changed, ...record } = body ?? {};
  const about = { key: id, id, name, type: "standard", price, creator, createdAt, isCreator };
  assert.deepEqual(record, { ...record, ...about, owned: isHolder, owns: isHolder, data: isHolder ? key.data : null });
  const unknown = Object.keys(record).filter((field) => !(field in keyRecord.shape));
  assert.deepEqual(unknown, [], "a record has what the contract says, and nothing else");
  const seen = isCreator ? [...holders].sort() : isHolder ? [person.username] : [];
  assert.deepEqual(Object.keys(Object(users)).sort(), seen);
  assert.ok(String(updatedAt) >= createdAt, "a key is not changed before it is made");
}

/** Takes up a key that was made although nobody waited for the answer. */
function adopt({ keys, maybe, owner }: Household, { key, data, price, createdAt }: NonNullable<Body>): void {
  const id = String(key);
  if (keys.has(id) || !maybe.delete(String(data))) return;
  const holders = new Set([owner.username]);
  keys.set(id, { id, data: String(data), name: "", price: Number(price), createdAt: String(createdAt), holders });
}

export const create: Act = async (home) => {
  const { client, owner, keys } = home;
  if (keys.size >= MAX_KEYS) return remove(home);
  const name = random(2) ? `name ${random(1000)}` : undefined;
  const [data, price] = [newData(), anyOf(["1", "0.5", "-1", "12.340000", "0"])];
  const { body } = await client.ask("/keys/create", 200, { auth: owner.token, data, price, name });
  const [id, createdAt] = [String(body?.key), String(body?.createdAt)];
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.ok(!keys.has(id), "an id is given out once");
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000, `made at ${createdAt}`);
  const key = { id, data, name: name ?? "", price: Number(price), createdAt, holders: new Set([owner.username]) };
  checkRecord(body, key, owner);
  keys.set(id, key);
};

export const read = withKey(async (home, key) => {
  const person = anyOf(people(home));
  const { body, text } = await home.client.ask("/keys/get/{id}", 200, { id: key.id, auth: person.token });
  checkRecord(body, key, person);
  const headers = { Authorization: `Bearer ${person.token}` };
  const withHeader = await home.client.ask("/keys/get/{id}", 200, { id: key.id }, { headers });
  assert.equal(withHeader.text, text, "the token may come in a header");
});

export const list: Act = async (home) => {
  for (const person of people(home)) {
    const whole = (await home.client.ask("/keys/mine", 200, { auth: person.token })).list;
    for (const body of whole) adopt(home, body);
    const held = [...home.keys.values()].filter(({ holders }) => holders.has(person.username));
    assert.deepEqual(whole.map(({ key }) => key).sort(), held.map(({ id }) => id).sort());
    for (const body of whole) checkRecord(body, home.keys.get(String(body.key)) ?? assert.fail("unknown"), person);
    const times = whole.map(({ createdAt }) => String(createdAt));
    assert.deepEqual(times, times.toSorted(), "the oldest comes first");
  }
};

export const check = withKey(async (home, { id, holders }) => {
  for (const { username } of people(home)) {
    const { body } = await home.client.ask("/keys/check/{username}", 200, { username, key: id });
    const owned = holders.has(username);
    assert.deepEqual(body, { owned, owns: owned, username, key: id });
  }
});

export const share = withKey(async ({ client, owner, friend: { username } }, { id, holders }) => {
  const { body } = await client.ask("/keys/admin_add/{id}", 200, { id, auth: owner.token, key: id, username });
  assert.deepEqual([body?.key, body?.user, body?.added], [id, username, !holders.has(username)]);
  holders.add(username);
});

export const revoke = withKey(async ({ client, owner, friend }, { id, holders }) => {
  const user = friend.username;
  const isHolder = holders.has(user);
  // A holder may give a key back.
  const by = isHolder && random(2) ? friend : owner;
  const { body } = await client.ask("/keys/revoke/{id}", 200, { id, auth: by.token, user });
  assert.deepEqual([body?.key, body?.user, body?.revoked], [id, user, isHolder]);
  holders.delete(user);
});

export const update = withKey(async ({ client, owner }, key) => {
  const [parameter, data] = anyOf<[string, string?]>([
    // The key's own id stands for its data.
    [key.id, newData()],
    ["data", anyOf(["", "5", "true", '{"a":1}'])],
    ["name", `renamed ${random(1000)}`],
    ["price", String(random(100_000) / 100)],
    ["data"],
  ]);
  const { body } = await client.ask("/keys/update/{id}", 200, { id: key.id, auth: owner.token, key: parameter, data });
  assert.equal(body?.changed, data !== undefined);
  if (data !== undefined) {
    if (parameter === "name") key.name = data;
    else if (parameter === "price") key.price = Number(data);
    else key.data = data;
  }
  checkRecord(body, key, owner);
});

export const remove = withKey(async ({ client, owner, keys }, { id }) => {
  const { body } = await client.ask("/keys/delete/{id}", 200, { id, auth: owner.token });
  assert.equal(body?.key, id);
  keys.delete(id);
  await client.ask("/keys/get/{id}", [404, "key_not_found"], { id, auth: owner.token });
});

/** What somebody may not do, or not to this key. */
export const overreach = withKey(async ({ client, owner, friend, stranger }, { id }) => {
  const nobody = `n${newId().slice(0, 15)}`;
  const [pattern, expected, query] = anyOf<[string, [number, string], Record<string, string>]>([
    ["/keys/delete/{id}", [403, "not_creator"], { auth: friend.token }],
    ["/keys/update/{id}", [403, "not_creator"], { auth: stranger.token, key: "data", data: "mine" }],
    ["/keys/admin_add/{id}", [403, "not_creator"], { auth: stranger.token, key: id, username: stranger.username }],
    ["/keys/revoke/{id}", [403, "not_creator"], { auth: stranger.token, user: owner.username }],
    ["/keys/revoke/{id}", [400, "creator_access"], { auth: owner.token, user: owner.username }],
    ["/keys/admin_add/{id}", [404, "user_not_found"], { auth: owner.token, key: id, username: nobody }],
  ]);
  await client.ask(pattern, expected, { id, ...query });
});

/** Asks for a key to be made and does not wait for the answer: it may be made, whole, or not. */
export const createAndGoAway: Act = async ({ client, owner, maybe }) => {
  const data = newData();
  maybe.add(data);
  const sent = client.open("/keys/create", { auth: owner.token, data, price: 1 });
  await sleep(random(8));
  sent.destroy();
};
