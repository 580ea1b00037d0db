import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { db } from "@/lib/platform/db/client";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";
import { approve, linkedBy } from "./link";

/** To whom a program can prove who its user is (contract, section 4: audience). */

const SITE = "https://game.example";
const PAGE = { Origin: SITE, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
const OTHER = "chat.example";

const validatorFor = (auth: string, key: string) => ask("/generate_validator", { query: { auth, key } });

/** What a validator for this audience says of who made it; undefined if none is made. */
async function partyFor(auth: string, key: string): Promise<unknown> {
  const answer = await validatorFor(auth, key);
  if (answer.status === 403) {
    expectError(answer, 403, "audience_not_approved");
    return "refused";
  }
  const validator = String(expectSuccess(answer).body?.validator);
  const { aud, azp } = decodeJwt(validator);
  expect(aud).toBe(key);
  expect(expectSuccess(await ask("/validate", { query: { v: validator, key } })).body?.azp).toBe(azp);
  return azp;
}

test.each([
  // By letters: any program could say that it is this page.
  ["a page", {}, PAGE, [SITE, "game.example"], "game.example"],
  [
    "a page at a port",
    {},
    { ...PAGE, Origin: `${SITE}:8443` },
    [`${SITE}:8443`, "game.example:8443"],
    "game.example:8443",
  ],
  ["a page that names another site", { audience: OTHER }, PAGE, [OTHER], "game.example"],
  ["a page that hides its address", {}, { ...PAGE, Origin: "null" }, [], undefined],
  ["an extension", {}, { ...PAGE, Origin: "chrome-extension://abc" }, ["chrome-extension://abc"], "abc"],
  ["a program", { name: "My Game", permissions: "account:view" }, {}, ["My Game"], "My Game"],
  ["a program that names a server", { name: "My Game", access: "identity", audience: OTHER }, {}, [OTHER], "My Game"],
  ["a program that names only a server", { name: "Tool", audience: ` ${OTHER} ` }, {}, [OTHER], "Tool"],
  ["a program that is called like a page", { name: SITE, access: "read" }, {}, [SITE], "game.example"],
  ["a program with a long name", { name: "x".repeat(60), access: "read" }, {}, ["x".repeat(40)], "x".repeat(40)],
  ["a program without a name", { access: "read" }, { "User-Agent": "" }, [], undefined],
] as const)("%s makes validators for what was approved, and no other", async (_, query, headers, audiences, party) => {
  const { token } = await linkedBy(query, headers);
  for (const audience of audiences) expect(await partyFor(token, audience)).toBe(party);
  const near = audiences.flatMap((audience) => [
    ...[audience.toUpperCase(), `${audience}.`, ` ${audience}`, `${audience} `, `${audience}/`, `www.${audience}`],
    ...[audience.replace("a", "\u0430"), audience.replace(".", "\uff0e"), `${audience}\u200b`],
  ]);
  for (const audience of [OTHER, "game.example", SITE, "http://game.example", "*", ...near])
    if (!(audiences as readonly string[]).includes(audience)) expect(await partyFor(token, audience)).toBe("refused");
});

test("the refusal says what was approved, and how to ask for more", async () => {
  const { token } = await linkedBy({}, PAGE);
  const { body } = expectError(await validatorFor(token, OTHER), 403, "audience_not_approved");
  expect(body?.error).toBe(
    `This token makes validators for "${SITE}" and "game.example" only. For another server, link again with ` +
      "audience= on /link/code or /oauth/device: the user then approves it.",
  );
});

test("the account's token makes validators for anyone, which do not say who made them", async () => {
  const user = await makeUser();
  expect(await partyFor(user.token, OTHER)).toBeUndefined();
  const network = newNetwork().id;
  const asked = expectSuccess(await ask("/link/code", { network }));
  await approve(String(asked.body?.code), user);
  expect(await partyFor(user.token, "any server")).toBeUndefined();
});

test("a second token of a program proves as much as its first, by the same name", async () => {
  const user = await makeUser();
  await linkedBy({ name: "Tool", access: "identity" }, {}, user);
  const { token } = await linkedBy({ name: "Tool", access: "identity" }, {}, user);
  expect(await partyFor(token, "Tool")).toBe("Tool");
  expect(await partyFor(token, "Tool 2")).toBe("refused");
});

describe.each(["/link/code", "/oauth/device"])("at %s", (path) => {
  const request = (audience: string) =>
    path === "/link/code"
      ? ask(path, { query: { audience } })
      : ask(path, {
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ client_id: "tool", audience }).toString(),
        });

  test.each([
    "",
    "  ",
    "x".repeat(201),
    "a\nb",
    "a\u202eb",
    "a\u200bb",
    "a\u00adb",
    "e\u0301\u0301\u0301",
    "...",
    "a  b",
    "a\u00a0b",
  ])("%j is no audience", async (audience) => {
    const answer = await request(audience);
    expect(answer.status).toBe(400);
    expect(answer.body?.code ?? answer.body?.error).toMatch(/^invalid_(?:parameter|request)$/);
    expect(answer.body?.error_description ?? answer.body?.error).toContain("The parameter audience must be 1 to 200");
  });

  test("200 characters are, of any script", async () => {
    for (const audience of ["x".repeat(200), "\u{1D49C}".repeat(200), "b\u00fccher.example", "a b"])
      expect((await request(audience)).status).toBe(200);
  });
});

test("a token made by hand proves to the server that its user names, or to one with its name", async () => {
  const user = await makeUser();
  const grant = { access: "identity", days: null } as const;
  const { token } = await createToken(user.id, { name: "Own", ...grant });
  expect(await partyFor(token, "Own")).toBe("Own");
  expect(await partyFor(token, OTHER)).toBe("refused");
  const named = await createToken(user.id, { name: "Bot", audience: OTHER, ...grant });
  expect(await partyFor(named.token, OTHER)).toBe("Bot");
  expect(await partyFor(named.token, "Bot")).toBe("refused");
});

test("a token from before audiences proves what was approved: anything with everything, else its name", async () => {
  const user = await makeUser();
  for (const [access, other] of [
    ["everything", "everything"],
    ["read", "refused"],
    ["identity", "refused"],
  ] as const) {
    const { token, id } = await createToken(user.id, { name: access, access, days: null });
    await db.accessToken.update({ where: { id }, data: { audiences: null, party: null } });
    expect(await partyFor(token, access)).toBe(access);
    expect(await partyFor(token, OTHER)).toBe(other);
  }
});

test("a refused audience is a matter of permission: after the token, and after the parameters", async () => {
  const { token } = await linkedBy({}, PAGE);
  expectError(await validatorFor(`${token}x`, OTHER), 401, "invalid_token");
  expectError(await validatorFor(token, ""), 400, "invalid_parameter");
  expectError(await ask("/generate_validator", { query: { auth: token } }), 400, "missing_parameter");
});

const key = "play.example.org";
const DAY = 86_400;

async function keySet() {
  const answer = await ask("/.well-known/jwks.json");
  expect(answer.status).toBe(200);
  expect(answer.headers["cache-control"]).toBe("public, max-age=3600");
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expectCommonHeaders(answer);
  return createLocalJWKSet(JSON.parse(answer.text));
}

test("/generate_validator says to one server who the caller is, and /validate what it says", async () => {
  const user = await makeUser();
  const { body } = expectSuccess(await as(user, "/generate_validator", { key }));
  expect(Object.keys(body ?? {})).toEqual(["validator", "expires_at"]);
  const { payload } = await jwtVerify(String(body?.validator), await keySet(), { issuer: origin, audience: key });
  expect(payload).toMatchObject({ sub: user.id, username: user.username, exp: body?.expires_at });
  const v = String(body?.validator);
  for (let times = 0; times < 2; times++)
    expect(expectSuccess(await ask("/validate", { query: { v, key } })).text).toBe(
      JSON.stringify({ valid: true, id: user.id, username: user.username }),
    );
  const other = { valid: false, error: "The validator is for another audience." };
  expect(expectSuccess(await ask("/validate", { query: { v, key: "another" } })).body).toEqual(other);
});

test.each(["", "a".repeat(201), "two\nlines", "a\u2028b", "\u001b[0m"])(
  "%j is no audience, and no nonce",
  async (text) => {
    expectError(await as(await makeUser(), "/generate_validator", { key: text }), 400, "invalid_parameter");
    expectError(await ask("/validate", { query: { v: "x", key: text } }), 400, "invalid_parameter");
    expectError(await ask("/keys/check/alice", { query: { key: NO_KEY, sign: text } }), 400, "invalid_parameter");
  },
);

test("/validate takes no more than 4,096 characters", async () => {
  expectError(await ask("/validate", { query: { v: "x".repeat(4_097), key } }), 400, "invalid_parameter");
  expectError(await ask("/validate", { query: { key } }), 400, "missing_parameter");
  expectSuccess(await ask("/validate", { query: { v: "x".repeat(4_096), key } }));
});

test("/keys/check signs what it says, for seven days or until the access ends", async () => {
  const [creator, holder, brief] = (await makeUsers(3)) as [TestUser, TestUser, TestUser];
  const id = await newKey(creator);
  await share(creator, id, holder);
  const until = Math.floor(Date.now() / 1_000) + DAY;
  await as(creator, `/keys/admin_add/${id}`, { key: id, username: brief.username, until: String(until) });
  const keys = await keySet();
  const proofFor = async (username: string, keyId = id) => {
    const plain = expectSuccess(await ask(`/keys/check/${username}`, { query: { key: keyId } }));
    const signed = expectSuccess(await ask(`/keys/check/${username}`, { query: { key: keyId, sign: "nonce 1" } }));
    const { proof, ...rest } = signed.body ?? {};
    expect(JSON.stringify(rest)).toBe(plain.text);
    expect(Object.keys(signed.body ?? {}).at(-1)).toBe("proof");
    const options = { issuer: origin, typ: "proof+jwt", algorithms: ["EdDSA"] };
    return (await jwtVerify(String(proof), keys, options)).payload;
  };
  const iat = expect.any(Number);
  const claims = { iss: origin, key: id, nonce: "nonce 1", iat };
  const held = await proofFor(holder.username.toUpperCase());
  const { exp } = held;
  expect(held).toEqual({ ...claims, sub: holder.id, username: holder.username.toUpperCase(), owned: true, exp });
  expect(Number(exp) - Number(held.iat)).toBe(7 * DAY);
  expect(await proofFor(brief.username)).toMatchObject({ sub: brief.id, owned: true, exp: until });
  const stranger = await makeUser();
  const nobody = { owned: false, exp: expect.any(Number), iat };
  expect(await proofFor(stranger.username)).toEqual({ ...claims, ...nobody, username: stranger.username });
  expect(await proofFor("nobody-has-this")).toEqual({ ...claims, ...nobody, username: "nobody-has-this" });
  expect(await proofFor(holder.username, NO_KEY)).toMatchObject({ key: NO_KEY, ...nobody });
});
