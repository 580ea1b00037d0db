import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expectError, expectNotLinked } from "@/tests/contract/answers";
import { smallDocument } from "@/tests/support/documents";
import { type Answer, newNetwork } from "@/tests/support/request";
import { postPassword } from "@/tests/support/user";
import { type Act, anyOf, type Household, random } from "./household";
import * as keys from "./keys";

export interface Deed {
  /** As it stands in the report. */
  name: string;
  /** How often it is done, relative to the others. */
  weight: number;
  act: Act;
}

const askWhoIAm: Act = async ({ client, owner, keys, maybe, document }) => {
  const { body } = await client.ask("/me", 200, { auth: owner.token });
  assert.deepEqual([body?.username, body?.role], [owner.username, "user"]);
  const counted = Number(body?.keys);
  const isRight = counted >= keys.size && counted <= keys.size + maybe.size;
  assert.ok(isRight, `/me counts ${counted} keys where there are ${keys.size}`);
  const entries = document === null ? 0 : JSON.parse(document).length / 14;
  assert.deepEqual(body?.files, { entries, bytes: Buffer.byteLength(document ?? "") });
};

const rotateToken: Act = async ({ client, operator, owner }) => {
  const old = owner.token;
  owner.token = await operator.tell("rotateToken", owner.id);
  const asking = { network: newNetwork().id };
  await client.ask("/me", [401, "invalid_token"], { auth: old }, asking);
  await client.ask("/me", 200, { auth: owner.token }, asking);
};

function checkPage({ status, headers, text }: Answer, { token }: { token: string }, expected = 200): void {
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
const visitSignedIn: Act = async (home) => {
  const { client, owner } = home;
  owner.cookies ??= await signIn(home, owner.password);
  const path = anyOf(["/", "/keys", "/account", "/link"]);
  const answer = await client.send("(page)", path, { headers: { Cookie: owner.cookies } });
  checkPage(answer, owner);
  assert.ok(answer.text.includes(owner.username), `${path} names who is signed in`);
  for (const { data } of home.keys.values())
    assert.ok(data.length < 12 || !answer.text.includes(data), "a page shows no key's data");
};

async function signIn({ client, owner }: Household, password: string, expected = 200): Promise<string> {
  const { cookies, status } = await postPassword(client.origin, owner.username, password, client.network);
  assert.deepEqual([status, cookies.includes("session-token")], [expected, expected === 200]);
  return cookies;
}

/** A wrong password opens no session. */
const signInAnew: Act = async (home) => {
  await signIn(home, "wrong", 401);
  home.owner.cookies = await signIn(home, home.owner.password);
};

const FILES = "/read-files";

/** Stores text that hardly compresses, with characters of every length in UTF-8. */
async function store(home: Household, kilobytes: number): Promise<string> {
  const text = `${randomBytes(kilobytes * 750).toString("base64")} ä\u{1F511}`;
  const document = JSON.stringify(smallDocument(home.owner.username, text));
  await home.operator.tell("importDocument", home.owner, document);
  home.document = document;
  return document;
}

const getFiles = ({ client, owner }: Household, headers: Record<string, string> = {}, method = "GET") =>
  client.send(FILES, FILES, { method, query: { auth: owner.token }, headers });

function checkDocument({ status, headers, bytes }: Pick<Answer, "status" | "headers" | "bytes">, document: string) {
  assert.deepEqual([status, headers["access-control-allow-origin"], headers["set-cookie"]], [200, "*", undefined]);
  assert.deepEqual([headers["content-type"], headers["content-length"]], ["application/json", String(bytes.length)]);
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
  assert.ok(plain.equals(Buffer.from(document)), "the document is the one that was stored, byte for byte");
}

const storeFiles: Act = (home) => store(home, anyOf([1, 1, 1, 10, 300, 300, 3_000]));

const readFiles: Act = async (home) => {
  const { document } = home;
  if (document === null) return expectError(await getFiles(home), 404, "no_files");
  const [plain, gzip] = [await getFiles(home), await getFiles(home, { "Accept-Encoding": "gzip" })];
  checkDocument(plain, document);
  checkDocument(gzip, document);
  assert.deepEqual([plain.headers["content-encoding"], gzip.headers["content-encoding"]], [undefined, "gzip"]);
  const { status, text, headers } = await getFiles(home, {}, "HEAD");
  assert.deepEqual([status, text, headers["content-length"]], [200, "", plain.headers["content-length"]]);
};

/** A program is linked, in one of the ways in which that can go. */
const link: Act = async ({ client, operator, owner }) => {
  const [network, elsewhere] = [newNetwork().id, newNetwork().id];
  const { body, headers } = await client.ask("/link/code", 200, {}, { network });
  const code = String(body?.code);
  assert.match(code, /^[A-HJ-NP-Z]{6}$/);
  assert.equal(headers.link, `<${client.origin}/link?code=${code}>; rel="verification"`);
  assert.deepEqual([headers["link-expires-in"], Number(headers["link-interval"]) > 0], ["600", true]);

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
    async () => {
      await approve();
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
    // A stranger who knows the code before it was approved must not collect it after.
    async () => {
      await pollInVain(elsewhere);
      await approve();
      await pollInVain(elsewhere);
      await collect(network);
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
  { name: "create a key", weight: 12, act: keys.create },
  { name: "read a key", weight: 24, act: keys.read },
  { name: "list keys", weight: 6, act: keys.list },
  { name: "check a holder", weight: 8, act: keys.check },
  { name: "share a key", weight: 6, act: keys.share },
  { name: "revoke a key", weight: 4, act: keys.revoke },
  { name: "update a key", weight: 10, act: keys.update },
  { name: "delete a key", weight: 4, act: keys.remove },
  { name: "break off a create", weight: 2, act: keys.createAndGoAway },
  { name: "link", weight: 9, act: link },
  { name: "store files", weight: 2, act: storeFiles },
  { name: "read files", weight: 6, act: readFiles },
  { name: "ask who I am", weight: 6, act: askWhoIAm },
  { name: "rotate the token", weight: 1, act: rotateToken },
  { name: "overreach", weight: 4, act: keys.overreach },
  { name: "visit a page", weight: 4, act: visit },
  { name: "visit a page signed in", weight: 4, act: visitSignedIn },
  { name: "sign in anew", weight: 1, act: signInAnew },
];
