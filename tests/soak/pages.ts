import assert from "node:assert/strict";
import type { Answer } from "@/tests/support/request";
import { postPassword } from "@/tests/support/sign-in";
import { type Act, anyOf, type Household, type Person } from "./household";

const COUNTED = "(page)";

function checkPage({ status, headers, text }: Answer, expected = 200): void {
  assert.equal(status, expected, text.slice(0, 300));
  assert.match(String(headers["content-type"]), /^text\/html/);
  assert.match(String(headers["content-security-policy"]), /nonce-/);
  assert.match(text, /<\/html>\s*$/, "the page is whole");
}

export const visit: Act = async ({ client, owner }) => {
  const path = anyOf(["/", "/signin", "/signup", "/link", "/docs", "/link?code=QXQXQX"]) ?? "/";
  const answer = await client.send(COUNTED, path);
  checkPage(answer);
  assert.ok(!answer.text.includes(owner.token), "a page shows no token");
  // To a program the same address answers JSON.
  checkPage(await client.send(COUNTED, "/nothing-here", { headers: { Accept: "text/html" } }), 404);
};

/** Pages of somebody who is signed in name the person, and hold neither the token nor a key's data until asked to. */
export const visitSignedIn: Act = async (home) => {
  const { client, owner, keys } = home;
  owner.cookies ??= await signIn(home, owner);
  const path = anyOf(["/", "/keys", "/account", "/link"]) ?? "/keys";
  const answer = await client.send(COUNTED, path, { headers: { Cookie: owner.cookies } });
  checkPage(answer);
  assert.ok(answer.text.includes(owner.username), `${path} names who is signed in`);
  assert.ok(!answer.text.includes(owner.token), "a page shows no token");
  for (const { data } of keys.values())
    assert.ok(data.length < 12 || !answer.text.includes(data), "a page shows no key's data");
};

export const signInAnew: Act = async (home) => {
  await failToSignIn(home);
  home.owner.cookies = await signIn(home, home.owner);
};

/** A wrong password opens no session. */
async function failToSignIn(home: Household): Promise<void> {
  const { cookies, status } = await postPassword(home.client.origin, home.owner.username, "wrong", home.client.network);
  assert.deepEqual([status, cookies.includes("session-token")], [401, false]);
}

async function signIn(home: Household, person: Person): Promise<string> {
  const { cookies, status } = await postPassword(
    home.client.origin,
    person.username,
    person.password,
    home.client.network,
  );
  assert.deepEqual([status, cookies.includes("session-token")], [200, true]);
  return cookies;
}
