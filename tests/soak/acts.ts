import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expectError, expectNotLinked } from "@/tests/contract/answers";
import { smallDocument } from "@/tests/support/documents";
import { type Answer, newNetwork } from "@/tests/support/request";
import { postPassword } from "@/tests/support/user";
import { type Act, anyOf, type Household, type Key, type Person, random } from "./household";

// What tests/contract asks once and alone is done here beside everything else.

export interface Deed {
  /** As it stands in the report. */
  name: string;
  /** How often it is done, relative to the others. */
  weight: number;
  act: Act;
}

/** So few that reading them all is quick. */
const MAX_KEYS = 40;
const LARGE_DATA = 60_000;

/** Does it with any of the owner's keys; without one, makes one. */
const withKey = (act: (home: Household, key: Key) => Promise<unknown>): Act => {
  return (home) => (home.keys.size > 0 ? act(home, anyOf(home.keys.values())) : createKey(home));
};

/** Some of it needs percent-encoding, some of it is large. */
function newData(): string {
  const tag = randomBytes(9).toString("base64");
  return random(20) === 0 ? tag.repeat(LARGE_DATA / tag.length) : `${tag} ä\u{1F511} "&=+%`;
}

/** Holds a record to what its creator must see (contract, section 2). */
function checkRecord(body: Answer["body"], key: Key, { username: creator }: Person): void {
  const { users, updatedAt, success, status, message, changed, ...record } = body ?? {};
  const about = { key: key.id, type: "standard", creator, isCreator: true, owned: true, owns: true };
  assert.deepEqual(record, { ...record, ...about, ...key });
  assert.deepEqual(Object.keys(Object(users)), [creator]);
  assert.ok(String(updatedAt) >= key.createdAt, "a key is not changed before it is made");
}

const createKey: Act = async (home) => {
  const { client, owner, keys } = home;
  if (keys.size >= MAX_KEYS) return deleteKey(home);
  const name = random(2) ? `name ${random(1000)}` : undefined;
  const [data, price] = [newData(), anyOf(["1", "0.5", "-1", "12.340000", "0"])];
  const { body } = await client.ask("/keys/create", 200, { auth: owner.token, data, price, name });
  const [id, createdAt] = [String(body?.key), String(body?.createdAt)];
  assert.ok(!keys.has(id), "an id is given out once");
  const key = { id, data, name: name ?? "", price: Number(price), createdAt };
  checkRecord(body, key, owner);
  keys.set(id, key);
};

const readKey = withKey(async ({ client, owner }, key) => {
  const { body } = await client.ask("/keys/get/{id}", 200, { id: key.id, auth: owner.token });
  checkRecord(body, key, owner);
});

const listKeys: Act = async ({ client, owner, keys }) => {
  const { list } = await client.ask("/keys/mine", 200, { auth: owner.token });
  assert.deepEqual(list.map(({ key }) => key).sort(), [...keys.keys()].sort());
  for (const body of list) checkRecord(body, keys.get(String(body.key)) ?? assert.fail("unknown"), owner);
};

const updateKey = withKey(async ({ client, owner }, key) => {
  const [field, data] = anyOf<["data" | "name" | "price", string]>([
    ["data", newData()],
    ["name", `renamed ${random(1000)}`],
    ["price", String(random(100_000) / 100)],
  ]);
  const { body } = await client.ask("/keys/update/{id}", 200, { id: key.id, auth: owner.token, key: field, data });
  Object.assign(key, { [field]: field === "price" ? Number(data) : data });
  checkRecord(body, key, owner);
});

const deleteKey = withKey(async ({ client, owner, keys }, { id }) => {
  await client.ask("/keys/delete/{id}", 200, { id, auth: owner.token });
  keys.delete(id);
  await client.ask("/keys/get/{id}", [404, "key_not_found"], { id, auth: owner.token });
});

const rotateToken: Act = async ({ client, operator, owner }) => {
  const old = owner.token;
  owner.token = await operator.tell("rotateToken", owner.id);
  const asking = { network: newNetwork().id };
  await client.ask("/me", [401, "invalid_token"], { auth: old }, asking);
  const { body } = await client.ask("/me", 200, { auth: owner.token }, asking);
  assert.equal(body?.username, owner.username);
};

function checkPage({ status, headers, text }: Answer, { token }: Person, expected = 200): void {
  assert.equal(status, expected, text.slice(0, 300));
  assert.match(String(headers["content-type"]), /^text\/html/);
  assert.match(String(headers["content-security-policy"]), /nonce-/);
  assert.match(text, /<\/html>\s*$/, "the page is whole");
  assert.ok(!text.includes(token), "a page shows no token");
}

const visit: Act = async ({ client, owner }) => {
  const path = anyOf(["/", "/signin", "/signup", "/link", "/docs", "/link?code=QXQXQX"]);
  checkPage(await client.send("(page)", path), owner);
  // To a program the same address answers JSON.
  checkPage(await client.send("(page)", "/nothing-here", { headers: { Accept: "text/html" } }), owner, 404);
};

/** Pages of somebody who is signed in name the person, and hold neither the token nor a key's data until asked to. */
const visitSignedIn: Act = async ({ client, owner, keys }) => {
  owner.cookies ??= (await postPassword(client.origin, owner.username, owner.password, client.network)).cookies;
  const path = anyOf(["/", "/keys", "/account", "/link"]);
  const answer = await client.send("(page)", path, { headers: { Cookie: owner.cookies } });
  checkPage(answer, owner);
  assert.ok(answer.text.includes(owner.username), `${path} names who is signed in`);
  for (const { data } of keys.values())
    assert.ok(data.length < 12 || !answer.text.includes(data), "a page shows no key's data");
};

const FILES = "/read-files";

/** Stores text that hardly compresses, with characters of every length in UTF-8. */
const storeFiles: Act = async (home) => {
  const kilobytes = anyOf([1, 1, 1, 10, 300, 300, 3_000]);
  const text = `${randomBytes(kilobytes * 750).toString("base64")} ä\u{1F511}`;
  const document = JSON.stringify(smallDocument(home.owner.username, text));
  await home.operator.tell("importDocument", home.owner, document);
  home.document = document;
};

const readFiles: Act = async ({ client, owner, document }) => {
  const asked = anyOf([undefined, "gzip"]);
  const headers: Record<string, string> = asked ? { "Accept-Encoding": asked } : {};
  const answer = await client.send(FILES, FILES, { query: { auth: owner.token }, headers });
  if (document === null) return expectError(answer, 404, "no_files");
  const { status, bytes } = answer;
  const [length, encoding] = [answer.headers["content-length"], answer.headers["content-encoding"]];
  assert.deepEqual([status, length, encoding], [200, String(bytes.length), asked]);
  const plain = asked ? gunzipSync(bytes) : bytes;
  assert.ok(plain.equals(Buffer.from(document)), "the document is the one that was stored, byte for byte");
};

/** A program is linked, in one of the ways in which that can go. */
const link: Act = async ({ client, operator, owner }) => {
  const [network, elsewhere] = [newNetwork().id, newNetwork().id];
  const { body } = await client.ask("/link/code", 200, {}, { network });
  const code = String(body?.code);
  const pollInVain = async (from: string) => {
    const query = { code: random(2) ? code : code.toLowerCase() };
    expectNotLinked(await client.send("/link/user", "/link/user", { query, network: from }));
  };
  const collect = async (from: string) => {
    const collected = await client.ask("/link/user", 200, { code }, { network: from });
    assert.deepEqual(collected.body, { linked: true, token: owner.token });
  };
  const approve = () => operator.tell("approve", owner.id, code, client.network);

  for (let polls = random(3); polls >= 0; polls--) await pollInVain(network);
  await anyOf<() => Promise<unknown>>([
    // A stranger who knew the code before it was approved collects it neither then nor afterwards.
    async () => {
      await pollInVain(elsewhere);
      await approve();
      await pollInVain(elsewhere);
      await collect(network);
      await collect(network);
      await pollInVain(elsewhere);
    },
    // The program goes to another network.
    async () => {
      await approve();
      await pollInVain(elsewhere);
      await operator.tell("allow", owner.id, code, elsewhere);
      await collect(elsewhere);
      await pollInVain(network);
    },
    async () => {
      await operator.tell("deny", owner.id, code, client.network);
      await pollInVain(network);
    },
    // A token that was replaced after the approval is not handed out.
    async () => {
      await approve();
      owner.token = await operator.tell("rotateToken", owner.id);
      await pollInVain(network);
    },
    // Left to expire.
    async () => {},
  ])();
};

/** Everything that is done in a soak. */
export const ACTS: Deed[] = [
  { name: "create a key", weight: 12, act: createKey },
  { name: "read a key", weight: 24, act: readKey },
  { name: "list keys", weight: 6, act: listKeys },
  { name: "update a key", weight: 10, act: updateKey },
  { name: "delete a key", weight: 4, act: deleteKey },
  { name: "link", weight: 9, act: link },
  { name: "store files", weight: 2, act: storeFiles },
  { name: "read files", weight: 6, act: readFiles },
  { name: "rotate the token", weight: 1, act: rotateToken },
  { name: "visit a page", weight: 4, act: visit },
  { name: "visit a page signed in", weight: 4, act: visitSignedIn },
];
