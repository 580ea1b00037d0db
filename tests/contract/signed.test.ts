import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey, share } from "./keys";

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

test("a proof is no validator, and a validator no proof", async () => {
  const user = await makeUser();
  const { body } = await ask(`/keys/check/${user.username}`, { query: { key: NO_KEY, sign: key } });
  const error = "This is not a validator of this service.";
  expect((await ask("/validate", { query: { v: String(body?.proof), key } })).body).toEqual({ valid: false, error });
  const { validator } = (await as(user, "/generate_validator", { key })).body ?? {};
  expect(decodeJwt(String(validator))).not.toHaveProperty("owned");
  await expect(jwtVerify(String(validator), await keySet(), { typ: "proof+jwt" })).rejects.toThrow("typ");
});
