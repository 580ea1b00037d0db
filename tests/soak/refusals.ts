import { newId } from "@/lib/ids";
import { newNetwork } from "@/tests/support/network";
import { anyOf } from "./chance";
import { checkError, checkNotLinked } from "./client";
import type { Act } from "./household";
import { withKey } from "./keys";

/** Lower than the default, so that reaching it is a small part of a soak's requests. */
export const INVALID_TOKENS_PER_MINUTE = 30;

/** What clients get wrong about addresses, parameters and tokens; `auth` is the owner's token. */
const BAD_ADDRESSES: [address: string, status: number, code: string][] = [
  ["/keys/create?auth&price=1", 400, "missing_parameter"],
  ["/keys/create?auth&data=a&data=b&price=1", 400, "duplicate_parameter"],
  ["/keys/create?auth&data=a&price=1e5", 400, "invalid_parameter"],
  ["/keys/create?auth&data=%ff&price=1", 400, "invalid_parameter"],
  [`/keys/create?auth&data=${"a".repeat(65_537)}&price=1`, 400, "invalid_parameter"],
  ["/keys/mine?auth&limit=5&after=nonsense", 400, "invalid_parameter"],
  [`/keys/get/${"0".repeat(32)}?auth`, 404, "key_not_found"],
  ["/me?auth=", 401, "missing_token"],
  ["/read-files?auth=%00", 401, "invalid_token"],
  ["/keys/nothing", 404, "not_found"],
  ["/link/nothing", 404, "not_found"],
];

export const sendBadAddress: Act = async ({ client, owner }) => {
  const [address, status, code] = anyOf(BAD_ADDRESSES);
  const sent = address.replace(/\?auth(?=&|$)/, `?auth=${owner.token}`);
  const answer = await client.send("(a bad address)", sent, { network: newNetwork().id });
  checkError("", answer, [status, code]);
};

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

/** Neither malformed codes nor those of nobody tell a guesser anything. */
export const guessCodes: Act = async ({ client }) => {
  const network = newNetwork().id;
  for (const query of ["", "code=", "code=abcd%C3%9F", "code=ABCDEF7", "code=ZZZZZQ", "code=ABCDEF&code=A"])
    checkNotLinked(await client.send("/link/user", `/link/user?${query}`, { network }));
};

/** After so many invalid tokens in a minute a network gets 429 for them, and a valid one goes on. */
export const guessTokens: Act = async ({ client, owner }) => {
  const network = newNetwork().id;
  for (let guess = 1; guess <= INVALID_TOKENS_PER_MINUTE + 5; guess++) {
    const isJudged = guess <= INVALID_TOKENS_PER_MINUTE;
    const expected = isJudged ? ([401, "invalid_token"] as const) : ([429, "rate_limited"] as const);
    await client.ask("/me", expected, { auth: `lk_guess${guess}` }, { network });
  }
  await client.ask("/me", 200, { auth: owner.token }, { network });
};
