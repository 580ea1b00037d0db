import { expect, test } from "vitest";
import { drawLetters } from "@/lib/link/letters";
import { newPollSecret } from "@/lib/link/poll-secret";
import { approve, deny } from "@/tests/contract/link";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

async function newCode(network: string): Promise<{ code: string; secret: string }> {
  const { body, text, headers } = await ask("/link/code", { network });
  expect(text).toMatch(/^\{"code":"[A-HJ-NP-Z]{6}"\}$/);
  expect(headers["link-secret"]).toMatch(/^[\w-]{43}$/);
  return { code: String(body?.code), secret: String(headers["link-secret"]) };
}

/** Everything of an answer but its date and its request id. */
async function whole(code: string, network: string, secret?: string) {
  const { status, text, headers } = await ask("/link/user", {
    query: { code },
    network,
    headers: secret === undefined ? {} : { "Link-Secret": secret },
  });
  return JSON.stringify({ status, text, headers: { ...headers, date: "", "x-request-id": "" } });
}

test(
  "all answers without a token are the same bytes, with the secret of the code, with another, and with " + "none",
  async () => {
    const [home, user] = [newNetwork().id, await makeUser()];
    const [pending, denied, bound, ready] = [
      await newCode(home),
      await newCode(home),
      await newCode(home),
      await newCode(home),
    ];
    await deny(denied.code, user);
    await whole(bound.code, home, bound.secret);
    await approve(bound.code, user);
    await approve(ready.code, user);
    const answers = [
      await whole(pending.code, home, pending.secret),
      await whole(pending.code, home, newPollSecret()),
      await whole(pending.code, home),
      await whole(denied.code, home, denied.secret),
      await whole(denied.code, home, ""),
      await whole(bound.code, home),
      await whole(bound.code, newNetwork().id, pending.secret),
      await whole(ready.code, home, newPollSecret()),
      await whole(drawLetters(), home, newPollSecret()),
      await whole(drawLetters(), newNetwork().id),
      await whole("abcdß", home, ready.secret),
    ];
    expect(answers[0]).toContain('{\\"linked\\":false,\\"token\\":\\"\\"}');
    expect(new Set(answers).size).toBe(1);
    expect(await whole(bound.code, newNetwork().id, bound.secret)).toContain(user.token);
    expect(await whole(ready.code, home)).toContain(user.token);
  },
);

test("a secret in the address is none", async () => {
  const [home, user] = [newNetwork().id, await makeUser()];
  const { code, secret } = await newCode(home);
  await whole(code, home, secret);
  await approve(code, user);
  for (const name of ["secret", "link_secret", "Link-Secret"])
    expect((await ask("/link/user", { query: { code, [name]: secret }, network: home })).status).toBe(404);
  expect(await whole(code, home, secret)).toContain(user.token);
});

test("programs in a browser may read the header and send it", async () => {
  const { headers } = await ask("/link/code", { headers: { Origin: "https://game.example" } });
  expect(String(headers["access-control-expose-headers"])).toMatch(/\bLink-Secret\b/);
  const preflight = await ask("/link/user", {
    method: "OPTIONS",
    headers: {
      Origin: "https://game.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "link-secret",
    },
  });
  expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
  expect(String(preflight.headers["access-control-allow-headers"])).toMatch(/\bLink-Secret\b/);
});

test("with the secret a program is answered however often it asks, and wherever from", async () => {
  const { code, secret } = await newCode(newNetwork().id);
  const answers = await Promise.all(
    Array.from({ length: 150 }, () =>
      ask("/link/user", { query: { code }, network: newNetwork().id, headers: { "Link-Secret": secret } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
});
