import assert from "node:assert/strict";
import { routes } from "@/app/(api)/routes";
import { newId } from "@/lib/ids";
import { newNetwork } from "@/tests/support/network";
import { checkApiHeaders, checkError, checkNotLinked } from "./client";
import { type Act, anyOf, type Household } from "./household";
import { create } from "./keys";

/** Lower than the default, so that reaching it is a small part of a soak's requests. */
export const INVALID_TOKENS_PER_MINUTE = 30;

const NO_KEY = "0".repeat(32);

/** What clients get wrong about parameters and tokens, each as it comes in; `auth` is the owner's token. */
const BAD_ADDRESSES: [pattern: string, query: string, status: number, code: string][] = [
  ["/keys/create", "auth&price=1", 400, "missing_parameter"],
  ["/keys/create", "auth&data=a&data=b&price=1", 400, "duplicate_parameter"],
  ["/keys/create", "auth&data=&price=1", 400, "invalid_parameter"],
  ...["1e5", "0x10", "007", "NaN", "1,5", "-0", "", "%20"].map((price): [string, string, number, string] => [
    "/keys/create",
    `auth&data=a&price=${price}`,
    400,
    "invalid_parameter",
  ]),
  ...["%00", "%zz", "%", "%ff", "%EF%BF%BD", "%ed%a0%80"].map((data): [string, string, number, string] => [
    "/keys/create",
    `auth&data=${data}&price=1`,
    400,
    "invalid_parameter",
  ]),
  ["/keys/create", `auth&data=${"a".repeat(65_537)}&price=1`, 400, "invalid_parameter"],
  ["/keys/mine", "auth&limit=0", 400, "invalid_parameter"],
  ["/keys/mine", "auth&limit=5&after=nonsense", 400, "invalid_parameter"],
  ["/keys/check/{username}", "", 400, "missing_parameter"],
  ["/keys/get/{id}", "auth", 404, "key_not_found"],
  ["/keys/delete/{id}", "auth", 404, "key_not_found"],
  ["/keys/update/{id}", "auth&key=colour&data=red", 400, "invalid_parameter"],
  ["/keys/admin_add/{id}", `auth&key=${"1".repeat(32)}&username=a`, 400, "key_mismatch"],
  ["/keys/admin_add/{id}", `auth&key=${NO_KEY}&username=abc&user=abd`, 400, "invalid_parameter"],
  ["/me", "auth=", 401, "missing_token"],
  ["/me", "auth=lk_wrong", 401, "invalid_token"],
  ["/read-files", "auth=%00", 401, "invalid_token"],
];

export const sendBadAddress: Act = async ({ client, owner }) => {
  const [pattern, query, status, code] = anyOf(BAD_ADDRESSES) ?? assert.fail();
  const path = pattern.replace("{id}", NO_KEY).replace("{username}", "somebody");
  const sent = query.replace(/^auth(?=&|$)/, `auth=${owner.token}`);
  const answer = await client.send(pattern, `${path}?${sent}`, { network: newNetwork().id });
  checkApiHeaders(answer);
  checkError(pattern, answer, [status, code]);
};

/** What somebody may not do, or not to this key. */
export const overreach: Act = async (home: Household) => {
  const { client, owner, friend, stranger } = home;
  const key = anyOf(home.keys.values());
  if (!key) return create(home);
  const id = key.id;
  const refusals: [pattern: string, expected: [number, string], query: Record<string, string>][] = [
    ["/keys/delete/{id}", [403, "not_creator"], { auth: friend.token }],
    ["/keys/update/{id}", [403, "not_creator"], { auth: stranger.token, key: "data", data: "mine" }],
    ["/keys/admin_add/{id}", [403, "not_creator"], { auth: stranger.token, key: id, username: stranger.username }],
    ["/keys/revoke/{id}", [403, "not_creator"], { auth: stranger.token, user: owner.username }],
    ["/keys/revoke/{id}", [400, "creator_access"], { auth: owner.token, user: owner.username }],
    ["/keys/revoke/{id}", [404, "user_not_found"], { auth: owner.token, user: `n${newId().slice(0, 15)}` }],
    [
      "/keys/admin_add/{id}",
      [404, "user_not_found"],
      { auth: owner.token, key: id, username: `n${newId().slice(0, 15)}` },
    ],
  ];
  const [pattern, expected, query] = anyOf(refusals) ?? assert.fail();
  await client.ask(pattern, expected, { id, ...query });
};

/** Methods, prefetching and sub-resources (contract, section 1): nothing happens. */
export const askTheWrongWay: Act = async ({ client, owner }) => {
  const { declaration } = (anyOf(Object.values(routes)) ?? assert.fail()).GET;
  const path = declaration.path.replace("{id}", NO_KEY).replace("{username}", "somebody");
  const query = { auth: owner.token };
  const reads = declaration.access === "read";
  const allow = reads ? "GET, HEAD, OPTIONS" : "GET, OPTIONS";

  const posted = await client.send(declaration.path, path, {
    method: anyOf(["POST", "PUT", "DELETE", "PATCH"]),
    query,
  });
  checkError(declaration.path, posted, [405, "method_not_allowed"]);
  assert.equal(posted.headers.allow, allow);
  const options = await client.send(declaration.path, path, { method: "OPTIONS" });
  assert.deepEqual([options.status, options.headers.allow, options.text], [204, allow, ""]);
  if (reads) return;
  const head = await client.send(declaration.path, path, { method: "HEAD", query });
  assert.deepEqual([head.status, head.text], [405, ""]);
  const headers = anyOf<Record<string, string>>([
    { "Sec-Purpose": "prefetch" },
    { Purpose: "prefetch" },
    { "Sec-Fetch-Mode": "no-cors" },
  ]);
  checkError(declaration.path, await client.send(declaration.path, path, { query, headers }), [
    403,
    "prefetch_refused",
  ]);
};

export const askForNothing: Act = async ({ client }) => {
  const path = anyOf(["/keys/nothing", "/link/nothing", "/keys/mine/", "/me/x", "/keys/get", "/read-files/a"]) ?? "";
  checkError("", await client.send("(unknown)", path), [404, "not_found"]);
};

/** Neither malformed codes nor those of nobody tell a guesser anything. */
export const guessCodes: Act = async ({ client }) => {
  const network = newNetwork().id;
  for (const code of [undefined, "", "abc", "abcd\u00df", "ABCDEF7", "ZZZZZQ"])
    checkNotLinked(await client.send("/link/user", "/link/user", { query: { code }, network }));
  checkNotLinked(await client.send("/link/user", "/link/user?code=ABCDEF&code=ABCDEG", { network }));
};

/** After so many invalid tokens in a minute a network gets 429 for them, and a valid one goes on. */
export const guessTokens: Act = async ({ client, owner }) => {
  const network = newNetwork().id;
  for (let guess = 1; guess <= INVALID_TOKENS_PER_MINUTE + 5; guess++) {
    const answer = await client.send("/me", "/me", { query: { auth: `lk_guess${guess}` }, network });
    const expected =
      guess <= INVALID_TOKENS_PER_MINUTE ? ([401, "invalid_token"] as const) : ([429, "rate_limited"] as const);
    assert.equal(answer.status, expected[0], `guess ${guess} from ${network}`);
    checkApiHeaders(answer);
    checkError("/me", answer, expected);
  }
  await client.ask("/me", 200, { auth: owner.token }, { network });
};

export const sendTooMuch: Act = async ({ client, owner }) => {
  const answer = await client.sendHuge(300_000);
  if (answer !== "reset") checkError("", answer, [431, "headers_too_large"]);
  await client.ask("/me", 200, { auth: owner.token });
};
