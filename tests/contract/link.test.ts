import { expect, test } from "vitest";
import { drawCode, newPollSecret } from "@/lib/link/code";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { expectNotLinked, expectSuccess, whole } from "./answers";
import { approve, deny, newCode, newCodeAndSecret, poll } from "./link";

// Clocks, repeats and what ends an approval: tests/link/collecting.test.ts.

test("/link/code answers a code and nothing else, and the rest in headers", async () => {
  const { text, headers } = expectSuccess(await ask("/link/code"));
  const code = /^\{"code":"([A-HJ-NP-Z]{6})"\}$/.exec(text)?.[1];
  expect(headers.link).toBe(`<${origin}/link?code=${code}>; rel="verification"`);
  expect(headers["link-expires-in"]).toBe("600");
  expect(headers["link-interval"]).toMatch(/^[1-9]\d*$/);
  expect(headers["link-secret"]).toMatch(/^[\w-]{43}$/);
});

test("the program gets the token of who approved, the same that every auth takes", async () => {
  const user = await makeUser();
  const code = await newCode();
  expectNotLinked(await poll(code));
  await approve(code, user);
  expect(expectSuccess(await poll(code)).text).toBe(`{"linked":true,"token":"${user.token}"}`);
  expect(expectSuccess(await ask("/me", { query: { auth: user.token } })).body?.username).toBe(user.username);
});

/** The answer to who asks with this secret, from there. */
const pollWith = async (code: string, network: string, secret?: string) =>
  whole(
    await ask("/link/user", {
      query: { code },
      network,
      headers: secret === undefined ? {} : { "Link-Secret": secret },
    }),
  );

test("all answers without a token are the same bytes, with the right secret, another or none", async () => {
  const [home, elsewhere, user] = [newNetwork().id, newNetwork().id, await makeUser()];
  const [pending, denied, bound, ready] = [
    await newCodeAndSecret(home),
    await newCodeAndSecret(home),
    await newCodeAndSecret(home),
    await newCodeAndSecret(home),
  ];
  await deny(denied.code, user);
  await pollWith(bound.code, home, bound.secret);
  await approve(bound.code, user);
  await approve(ready.code, user);
  const answers = [
    await pollWith(pending.code, home, pending.secret),
    await pollWith(pending.code, home, newPollSecret()),
    await pollWith(pending.code, home),
    await pollWith(denied.code, home, denied.secret),
    await pollWith(denied.code, home, ""),
    await pollWith(bound.code, home),
    await pollWith(bound.code, elsewhere, pending.secret),
    await pollWith(ready.code, home, newPollSecret()),
    await pollWith(drawCode(), home, newPollSecret()),
    await pollWith(drawCode(), elsewhere),
    await pollWith("abcdß", home, ready.secret),
  ];
  expect(answers[0]).toContain('{\\"linked\\":false,\\"token\\":\\"\\"}');
  expect(new Set(answers).size).toBe(1);
  expect(await pollWith(bound.code, elsewhere, bound.secret)).toContain(user.token);
  expect(await pollWith(ready.code, home)).toContain(user.token);
});

test("a secret in the address is none", async () => {
  const [home, user] = [newNetwork().id, await makeUser()];
  const { code, secret } = await newCodeAndSecret(home);
  await pollWith(code, home, secret);
  await approve(code, user);
  for (const name of ["secret", "link_secret", "Link-Secret"])
    expect((await ask("/link/user", { query: { code, [name]: secret }, network: home })).status).toBe(404);
  expect(await pollWith(code, home, secret)).toContain(user.token);
});
