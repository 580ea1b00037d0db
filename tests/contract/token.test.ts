import { beforeAll, describe, expect, inject, test } from "vitest";
import { db } from "@/lib/db/client";
import { mintToken } from "@/lib/tokens";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectSuccess } from "./answers";
import { named, WITH_TOKEN } from "./routes";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const { knowsNetworks } = inject("service");
const unknownToken = () => mintToken("nobody").token;
const expectInvalid = (answer: Awaited<ReturnType<typeof ask>>) =>
  expect(expectError(answer, 401, "invalid_token").body?.error).toContain("Invalid");

describe("happy", () => {
  test("a token is taken from the query, as a bearer token, and from both when they agree", async () => {
    const bearer = { Authorization: `Bearer ${user.token}` };
    for (const asking of [
      { query: { auth: user.token } },
      { headers: bearer },
      { query: { auth: user.token }, headers: bearer },
    ])
      expect(expectSuccess(await ask("/me", asking)).body?.username).toBe(user.username);
  });

  test("the word Bearer is taken in any case, and other schemes are ignored", async () => {
    expectSuccess(await ask("/me", { headers: { Authorization: `bEARER ${user.token}` } }));
    expectSuccess(
      await ask("/me", { query: { auth: user.token }, headers: { Authorization: "Basic YWxpY2U6c2VjcmV0" } }),
    );
  });
});

describe("error", () => {
  test.each(named(WITH_TOKEN))("%s asks for a missing token", async (_, { path, query }) => {
    expectError(await ask(path, { query }), 401, "missing_token");
    expectError(await ask(path, { query, headers: { Authorization: "Basic YWxpY2U6c2VjcmV0" } }), 401, "missing_token");
  });

  test.each(named(WITH_TOKEN))(
    "%s refuses tokens that are unknown, malformed, repeated or contradicted",
    async (_, { path, query }) => {
      for (const auth of [
        unknownToken(),
        "x",
        "null",
        "undefined",
        `${user.token} `,
        user.token.toUpperCase(),
        "'; DROP TABLE",
        "\u{1F511}",
      ])
        expectInvalid(await ask(path, { query: { ...query, auth } }));
      const others = new URLSearchParams(query);
      for (const auth of ["%00", "%ff", "%ed%a0%80", `${user.token}&auth=${user.token}`])
        expectInvalid(await ask(`${path}?${others}&auth=${auth}`));
      expectInvalid(
        await ask(path, {
          query: { ...query, auth: user.token },
          headers: { Authorization: `Bearer ${unknownToken()}` },
        }),
      );
      expectInvalid(
        await ask(path, {
          query: { ...query, auth: unknownToken() },
          headers: { Authorization: `Bearer ${user.token}` },
        }),
      );
    },
  );

  test.each(named(WITH_TOKEN))("%s refuses a disabled account", async (_, { path, query }) => {
    const disabled = await makeUser({ disabledAt: new Date() });
    expectError(await ask(path, { query: { ...query, auth: disabled.token } }), 403, "account_disabled");
  });

  test("a token that was rotated away stops at once, and the new one works", async () => {
    const rotating = await makeUser();
    expectSuccess(await ask("/me", { query: { auth: rotating.token } }));
    const { token, stored } = mintToken(rotating.id);
    await db.user.update({ where: { id: rotating.id }, data: stored });
    expectInvalid(await ask("/me", { query: { auth: rotating.token } }));
    expectSuccess(await ask("/me", { query: { auth: token } }));
  });
});

describe("the order of checks", () => {
  const path = `/keys/admin_add/${"0".repeat(32)}`;

  test("is method, prefetch, token, parameters, existence", async () => {
    const prefetch = { "Sec-Purpose": "prefetch" };
    expectError(await ask(path, { method: "POST", headers: prefetch }), 405, "method_not_allowed");
    expectError(await ask(path, { headers: prefetch }), 403, "prefetch_refused");
    expectError(await ask(path), 401, "missing_token");
    expectError(await ask(path, { query: { auth: unknownToken(), key: "wrong" } }), 401, "invalid_token");
    expectError(
      await ask(path, { query: { auth: (await makeUser({ disabledAt: new Date() })).token } }),
      403,
      "account_disabled",
    );
    expectError(await ask(path, { query: { auth: user.token } }), 400, "missing_parameter");
    expectError(
      await ask(path, { query: { auth: user.token, key: "wrong", username: user.username } }),
      400,
      "key_mismatch",
    );
    expectError(
      await ask(path, { query: { auth: user.token, key: "0".repeat(32), username: "nobody-at-all" } }),
      404,
      "key_not_found",
    );
  });

  test("is the same for a long address", async () => {
    const data = "%FF".repeat(3_000);
    const sent = (auth: string) => ask(`/keys/create?price=1&price=2&data=${data}${auth}`);
    expectError(await sent(""), 401, "missing_token");
    expectError(await sent(`&auth=${unknownToken()}`), 401, "invalid_token");
    expectError(await sent(`&auth=${user.token}&auth=${user.token}`), 401, "invalid_token");
    expectError(await sent(`&auth=${user.token}`), 400, "invalid_parameter");
  });

  test("and existence comes before permission", async () => {
    const { body } = await ask("/keys/create", { query: { auth: user.token, data: "x", price: "1" } });
    const stranger = await makeUser();
    const add = (username: string) =>
      ask(`/keys/admin_add/${body?.key}`, { query: { auth: stranger.token, key: String(body?.key), username } });
    expectError(await add("nobody-at-all"), 404, "user_not_found");
    expectError(await add(user.username), 403, "not_creator");
  });
});

describe("security", () => {
  if (knowsNetworks)
    test("after 300 failing tokens a network gets 429 for failing ones, and valid ones are never refused", async () => {
      const network = newNetwork().id;
      const fail = () => ask("/me", { query: { auth: unknownToken() }, network });
      const answers = await Promise.all(Array.from({ length: 300 }, fail));
      expect(answers.map(({ status }) => status)).toEqual(Array(300).fill(401));
      expectError(await fail(), 429, "rate_limited");
      expectSuccess(await ask("/me", { query: { auth: user.token }, network }));
      expectError(await ask("/me", { network }), 401, "missing_token");
      expectInvalid(await ask("/me", { query: { auth: unknownToken() }, network: newNetwork().id }));
    });
  else
    test("where nobody vouches for an address, failing tokens are not counted", async () => {
      const answers = await Promise.all(
        Array.from({ length: 310 }, () => ask("/me", { query: { auth: unknownToken() } })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    });

  test("no cookie authenticates a caller", async () => {
    expectError(
      await ask("/me", { headers: { Cookie: `auth=${user.token}; latchkey-00000000.session-token=${user.token}` } }),
      401,
      "missing_token",
    );
  });
});
