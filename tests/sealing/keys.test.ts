import { createHmac, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { checkValidator, createValidator, publicKeySet } from "@/lib/accounts/identity/validators";
import { proofOf } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/data";
import { OPERATOR } from "@/lib/platform/audit";
import { forgetDataKeys } from "@/lib/platform/crypto/data-keys";
import { openBytes, SEAL_BYTES, sealBytes } from "@/lib/platform/crypto/secrets";
import {
  forgetSigningKeys,
  lostSigningKeys,
  retireSigningKey,
  rotateSigningKeys,
  sign,
} from "@/lib/platform/crypto/signing-keys";
import { currentUserKey, forgetUserKeys, userKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";
import { later } from "@/lib/platform/time";
import { tellPostgres } from "@/tests/support/databases";
import { makeUser, type TestUser } from "@/tests/support/user";

const issuer = "https://keys.example.org";
const audience = "play.example.org";
const NONE = { valid: false, error: "This is not a validator of this service." };
const validatorOf = async (user: TestUser, now?: Date) =>
  (await createValidator({ ...user, role: "user" }, { audience, issuer, now })).validator;
const kids = async () => (await publicKeySet()).keys.map(({ kid }) => kid);

beforeEach(async () => {
  await db.signingKey.deleteMany();
  forgetSigningKeys();
});

test("Processes that need the first key at the same time create one", async () => {
  const user = await makeUser();
  const validators = await Promise.all(
    Array.from({ length: 8 }, () => {
      forgetSigningKeys();
      return validatorOf(user);
    }),
  );
  expect(await db.signingKey.count()).toBe(1);
  const [kid] = await kids();
  for (const validator of validators) {
    expect(decodeProtectedHeader(validator)).toEqual({ alg: "EdDSA", typ: "validator+jwt", kid });
    expect(await checkValidator(validator, audience)).toEqual({ valid: true, id: user.id, username: user.username });
  }
});

test("A validator says who its user is now, to its audience, for five minutes, as often as it is asked", async () => {
  const user = await makeUser();
  const now = new Date();
  const validator = await validatorOf(user, now);
  const { payload } = await jwtVerify(validator, createLocalJWKSet(await publicKeySet()), { issuer, audience });
  const iat = Math.floor(now.getTime() / 1_000);
  const jti = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(payload).toEqual({
    ...{ iss: issuer, sub: user.id, username: user.username, aud: audience },
    ...{ jti, iat, exp: iat + 300 },
  });
  const valid = { valid: true, id: user.id, username: user.username };
  for (const seconds of [0, 0, 299])
    expect(await checkValidator(validator, audience, later(now, seconds * 1_000))).toEqual(valid);
  const expired = { valid: false, error: "The validator has expired." };
  expect(await checkValidator(validator, audience, later(now, 301_000))).toEqual(expired);
  const other = { valid: false, error: "The validator is for another audience." };
  expect(await checkValidator(validator, "PLAY.example.org")).toEqual(other);
  await db.user.update({ where: { id: user.id }, data: { username: "Renamed" } });
  expect(await checkValidator(validator, audience)).toEqual({ ...valid, username: "Renamed" });
});

test("A validator counts in one form only, and not if it is from before the clock was set back", async () => {
  const user = await makeUser();
  const now = new Date();
  const validator = await validatorOf(user, now);
  const [head, body, signature = ""] = validator.split(".");
  const last = String.fromCharCode(signature.charCodeAt(85) + 1);
  for (const text of [
    ...["\n", "\r\n", " ", "\t", "=", "==", "A", ".", "\u00a0", "\u200b"].map((end) => validator + end),
    ...["\n", " ", "."].map((start) => start + validator),
    ...["\n", " ", "="].map((inside) => `${head}${inside}.${body}.${signature}`),
    ...["\n", " ", "="].map((inside) => `${head}.${body}${inside}.${signature}`),
    ...["\n", " ", "="].map((inside) => `${head}.${body}.${signature.slice(0, 40)}${inside}${signature.slice(40)}`),
    `${head}.${body}.${signature.slice(0, 85)}${last}`,
    `${head}.${body}.${Buffer.from(signature, "base64url").toString("base64")}`,
  ])
    expect([text.slice(-90), await checkValidator(text, audience, now)]).toEqual([text.slice(-90), NONE]);
  expect(await checkValidator(validator, audience, later(now, -59_000))).toMatchObject({ valid: true });
  const expired = { valid: false, error: "The validator has expired." };
  expect(await checkValidator(validator, audience, later(now, -62_000))).toEqual(expired);
});

test.each([
  ["disabled", (id: string) => db.user.update({ where: { id }, data: { disabledAt: new Date() } })],
  ["being deleted", (id: string) => db.user.update({ where: { id }, data: { deletingAt: new Date() } })],
  ["deleted", (id: string) => db.user.delete({ where: { id } })],
])("A validator of an account that is %s since is refused", async (_, change) => {
  const user = await makeUser();
  const validator = await validatorOf(user);
  await change(user.id);
  const error = "The account is disabled or was deleted.";
  expect(await checkValidator(validator, audience)).toEqual({ valid: false, error });
});

test("What was forged, changed or signed for something else is refused", async () => {
  const user = await makeUser();
  const validator = await validatorOf(user);
  const header = { alg: "EdDSA", typ: "validator+jwt", kid: (await kids())[0] };
  const claims = decodeJwt(validator);
  const [head = "", body = "", signature = ""] = validator.split(".");
  const other = generateKeyPairSync("ed25519");
  const [jwk] = (await publicKeySet()).keys;
  const publicPem = createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ type: "spki", format: "pem" });
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const unsigned = `${encoded({ ...header, alg: "HS256" })}.${body}`;
  const mac = createHmac("sha256", publicPem).update(unsigned).digest("base64url");
  const forged: Record<string, string> = {
    "another key": await new SignJWT(claims).setProtectedHeader(header).sign(other.privateKey),
    "a key in the header": await new SignJWT(claims)
      .setProtectedHeader({ ...header, kid: "x", jwk: other.publicKey.export({ format: "jwk" }) })
      .sign(other.privateKey),
    "an unknown key": `${encoded({ ...header, kid: "unknown" })}.${body}.${signature}`,
    "no key": `${encoded({ alg: "EdDSA", typ: "validator+jwt" })}.${body}.${signature}`,
    "changed claims": `${head}.${encoded({ ...claims, username: "admin" })}.${signature}`,
    "alg none": new UnsecuredJWT(claims).encode(),
    "alg none with its head": `${encoded({ ...header, alg: "none" })}.${body}.`,
    "HMAC with the public key": `${unsigned}.${mac}`,
    "a proof": await proofOf(null, { username: user.username, key: "k", nonce: audience, issuer }),
    "a proof with the claims": await sign("proof+jwt", claims),
    "no user": await sign("validator+jwt", { ...claims, sub: undefined }),
    "half of it": `${head}.${body}`,
    nothing: "..",
    words: "not a validator",
  };
  for (const [what, text] of Object.entries(forged))
    expect([what, await checkValidator(text, audience)]).toEqual([what, NONE]);
});

test("After a rotation the new key signs validators, and the former proofs that name it, until it ends", async () => {
  const user = await makeUser();
  const validator = await validatorOf(user);
  const [former] = await kids();
  const proof = () => proofOf(null, { username: user.username, key: "k", nonce: "n", issuer });
  expect(decodeJwt(await proof())).not.toHaveProperty("keys");
  expect(await rotateSigningKeys(OPERATOR)).toBe(2);
  const [current, ...others] = await kids();
  expect(others).toEqual([former]);
  expect(decodeProtectedHeader(await validatorOf(user)).kid).toBe(current);
  expect(await checkValidator(validator, audience)).toMatchObject({ valid: true });
  expect(decodeProtectedHeader(await proof()).kid).toBe(former);
  expect(decodeJwt(await proof()).keys).toEqual([(await publicKeySet()).keys[0]]);
  for (const number of [2, 3]) expect(await retireSigningKey(number, OPERATOR)).toBe(false);
  expect(await retireSigningKey(1, OPERATOR)).toBe(true);
  expect(await kids()).toEqual([current]);
  expect(await checkValidator(validator, audience)).toEqual(NONE);
  expect(decodeProtectedHeader(await proof()).kid).toBe(current);
  expect(decodeJwt(await proof())).not.toHaveProperty("keys");
  for (const [action, which] of [
    ["signing.rotate", "2"],
    ["signing.retire", "1"],
  ])
    expect(await db.auditEvent.findMany({ where: { action }, select: { detail: true } })).toContainEqual({
      detail: JSON.stringify({ which }),
    });
});

test("Processes that rotate at the same time, or that have not noticed yet, leave every signature valid", async () => {
  const user = await makeUser();
  await validatorOf(user);
  await Promise.all([rotateSigningKeys(OPERATOR), rotateSigningKeys(OPERATOR), validatorOf(user)]);
  const validator = await validatorOf(user);
  expect(await checkValidator(validator, audience)).toMatchObject({ valid: true });
  expect(new Set(await kids()).size).toBe(await db.signingKey.count());
});

test("The database holds no private key, and one that was moved neither signs nor is published", async () => {
  const user = await makeUser();
  const validator = await validatorOf(user);
  await rotateSigningKeys(OPERATOR);
  const rows = await db.signingKey.findMany({ orderBy: { number: "asc" } });
  for (const { sealed } of rows) expect(Buffer.from(sealed).includes("302e0201", 0, "hex")).toBe(false);
  await db.signingKey.update({ where: { number: 2 }, data: { sealed: rows[0]?.sealed } });
  forgetSigningKeys();
  expect(await lostSigningKeys()).toEqual({ lost: [2], isNewest: true });
  expect(await kids()).toEqual([decodeProtectedHeader(validator).kid]);
  expect(await checkValidator(validator, audience)).toMatchObject({ valid: true });
  await expect(validatorOf(user)).rejects.toThrow("None of the secrets opens the signing key");
  await rotateSigningKeys(OPERATOR);
  expect(await checkValidator(await validatorOf(user), audience)).toMatchObject({ valid: true });
});

const message = Buffer.from("a secret");
const keysInMemory = perProcess("keys in memory", () => new Map<string, unknown>());

test("What a user's key sealed opens with the stored key, in this context only", async () => {
  const { id } = await makeUser();
  const { number, key } = await currentUserKey(id);
  const sealed = sealBytes(key, message, "here");
  expect(sealed).toHaveLength(message.length + SEAL_BYTES);
  forgetUserKeys();
  const stored = await userKey({ userId: id, number });
  if (!stored) throw new Error("The stored key does not open.");
  expect(openBytes(stored, sealed, "here")).toEqual(message);
  expect(() => openBytes(stored, sealed, "elsewhere")).toThrow();
});

test("No two messages are sealed with the same nonce", async () => {
  const { key } = await currentUserKey((await makeUser()).id);
  const nonces = Array.from({ length: 1_000 }, () => sealBytes(key, message, "").toString("hex", 0, 12));
  expect(new Set(nonces).size).toBe(1_000);
});

test("Processes that store something for a new user at the same time use one key", async () => {
  const { id } = await makeUser();
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => {
      forgetUserKeys();
      return currentUserKey(id);
    }),
  );
  const sealed = sealBytes((keys[0] ?? (await currentUserKey(id))).key, message, "");
  for (const { key, number } of keys) {
    expect(number).toBe(1);
    expect(openBytes(key, sealed, "")).toEqual(message);
  }
});

test("A user's key that was changed, or moved from another user, is refused", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  await currentUserKey(one.id);
  await currentUserKey(other.id);
  const { wrapped } = await db.userKey.findFirstOrThrow({ where: { userId: other.id } });
  for (const wrong of [wrapped, randomBytes(60)]) {
    await db.userKey.updateMany({ where: { userId: one.id }, data: { wrapped: wrong } });
    forgetUserKeys();
    await expect(currentUserKey(one.id)).rejects.toThrow("is damaged");
    expect(await userKey({ userId: one.id, number: 1 })).toBeUndefined();
  }
});

test("A key that the database no longer has is replaced with the stored one", async () => {
  const { id } = await makeUser();
  await currentUserKey(id);
  // A standby that had not received it has become the primary, where another process has stored something.
  await db.userKey.deleteMany({ where: { userId: id } });
  const here = keysInMemory.get("users' keys");
  forgetUserKeys();
  const stored = await currentUserKey(id);
  keysInMemory.set("users' keys", here);
  const later = performance.now() + 61_000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
  onTestFinished(() => clock.mockRestore());
  expect((await currentUserKey(id)).key.equals(stored.key)).toBe(true);
});

test("The key goes with the account", async () => {
  const { id } = await makeUser();
  await currentUserKey(id);
  await db.user.delete({ where: { id } });
  expect(await db.userKey.count({ where: { userId: id } })).toBe(0);
});

/**
 * As if a standby had taken over that had not received what the primary wrote last: every connection of this process
 * has ended.
 */
async function failOver(lost: string): Promise<void> {
  const end = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await tellPostgres(env.DATABASE_URL, lost, end);
  await expect.poll(() => db.user.count().catch(() => 0)).toBeGreaterThan(0);
}

if (env.DATABASE_URL)
  test("A key that a failover lost seals nothing any more", async () => {
    const user = { ...(await makeUser()), role: "user" as const };
    await currentUserKey(user.id);
    await failOver(`DELETE FROM "UserKey" WHERE "userId" = '${user.id}'`);
    const { id } = await createKey(user, { data: "kept", price: "1" });
    // Another process, or this one after a restart.
    forgetUserKeys();
    forgetDataKeys();
    expect(await revealData(user, id)).toBe("kept");
  });
