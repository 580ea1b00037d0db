import { expect, test } from "vitest";
import { drawLetters, newPollSecret } from "@/lib/link/code";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { whole } from "./answers";
import { approve, deny, newCodeAndSecret } from "./link";

/** The answer to who asks with this secret, from there. */
const poll = async (code: string, network: string, secret?: string) =>
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
  await poll(bound.code, home, bound.secret);
  await approve(bound.code, user);
  await approve(ready.code, user);
  const answers = [
    await poll(pending.code, home, pending.secret),
    await poll(pending.code, home, newPollSecret()),
    await poll(pending.code, home),
    await poll(denied.code, home, denied.secret),
    await poll(denied.code, home, ""),
    await poll(bound.code, home),
    await poll(bound.code, elsewhere, pending.secret),
    await poll(ready.code, home, newPollSecret()),
    await poll(drawLetters(), home, newPollSecret()),
    await poll(drawLetters(), elsewhere),
    await poll("abcdß", home, ready.secret),
  ];
  expect(answers[0]).toContain('{\\"linked\\":false,\\"token\\":\\"\\"}');
  expect(new Set(answers).size).toBe(1);
  expect(await poll(bound.code, elsewhere, bound.secret)).toContain(user.token);
  expect(await poll(ready.code, home)).toContain(user.token);
});

test("a secret in the address is none", async () => {
  const [home, user] = [newNetwork().id, await makeUser()];
  const { code, secret } = await newCodeAndSecret(home);
  await poll(code, home, secret);
  await approve(code, user);
  for (const name of ["secret", "link_secret", "Link-Secret"])
    expect((await ask("/link/user", { query: { code, [name]: secret }, network: home })).status).toBe(404);
  expect(await poll(code, home, secret)).toContain(user.token);
});
