import { expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectNotLinked, expectSuccess } from "./answers";
import { approve, newCode, poll } from "./link";

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
