import { randomBytes } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { afterAll, expect, test, vi } from "vitest";

const former = String(process.env.AUTH_SECRET);
const next = randomBytes(32).toString("base64url");

/** Everything that uses a secret, as a process with these secrets has it. */
async function processWith(secrets: string) {
  process.env.AUTH_SECRET = secrets;
  vi.resetModules();
  return {
    ...(await import("@/lib/access-tokens/find")),
    ...(await import("@/lib/auth/caller")),
    ...(await import("@/lib/auth/options")),
    ...(await import("@/lib/auth/rotate-token")),
    ...(await import("@/lib/auth/users")),
    ...(await import("@/lib/auth/rotate-secrets")),
    ...(await import("@/lib/recovery/recovery-codes")),
    ...(await import("@/tests/recovery/recover-by")),
    ...(await import("@/lib/link/ask")),
    ...(await import("@/lib/link/decide")),
    ...(await import("@/lib/link/find")),
    ...(await import("@/lib/link/poll")),
    ...(await import("@/lib/link/ticket")),
    ...(await import("@/tests/support/network")),
    ...(await import("@/tests/support/user")),
  };
}

afterAll(() => {
  process.env.AUTH_SECRET = former;
});

test("what was made under one secret is good while it is the second one, and tokens are afterwards too", async () => {
  const before = await processWith(former);
  const user = await before.createUser({ username: before.newUsername() });
  const network = before.newNetwork();
  const [recoveryCode] = await before.createRecoveryCodes(await before.signedIn(user), "", network);
  const asked = await before.askForCode({ network, program: "", webPage: null });
  const sealed = before.sealTicket({ id: "1", since: 0, letters: asked.code, lookAlikes: false, found: null });
  const cookie = await encode({
    token: { sessionId: "a session" },
    secret: String(before.authOptions("http://127.0.0.1").secret),
  });

  const during = await processWith(`${next} ${former}`);
  expect(await during.findCaller(await during.storedTokenHash(user.token))).toMatchObject({ id: user.id });
  expect(await during.revealToken(user.id)).toBe(user.token);
  expect(during.openTicket(sealed)).toMatchObject({ letters: asked.code });
  const { secret, jwt } = during.authOptions("http://127.0.0.1");
  expect(await jwt?.decode?.({ token: cookie, secret: String(secret) })).toMatchObject({ sessionId: "a session" });
  await expect(decode({ token: cookie, secret: String(secret) })).rejects.toThrow();

  const linkId = await during.findRequest({ id: user.id, network }, asked.code);
  await during.approveRequest({ id: user.id, network }, linkId);
  const progress: number[] = [];
  await during.rotateSecrets(false, (part) => progress.push(part));
  expect(progress.at(-1)).toBe(1);
  expect(await during.collectToken(asked.code, { network, program: "", webPage: null }, asked.secret)).toEqual({
    token: user.token,
  });

  const after = await processWith(next);
  expect(await after.findCaller(await after.storedTokenHash(user.token))).toMatchObject({ id: user.id });
  expect(await after.revealToken(user.id)).toBe(user.token);
  const recovered = after.recoverByCode(user.username, String(recoveryCode), "another horse battery", false, network);
  expect(await recovered).toMatchObject({ id: user.id });
  expect(await after.collectToken(asked.code, { network, program: "", webPage: null }, asked.secret)).toBeNull();
  expect(after.openTicket(sealed)).toBeNull();
  await expect(after.authOptions("http://127.0.0.1").jwt?.decode?.({ token: cookie, secret: "" })).rejects.toThrow();
});

test("so is a program's own token: its link is collected under the next secret, and it works under any", async () => {
  const before = await processWith(former);
  const user = await before.createUser({ username: before.newUsername() });
  const network = before.newNetwork();
  const linked = async (program: typeof before) => {
    const { code, id, secret } = await program.askForCode({ network, program: "", webPage: null }, new Date(), {
      access: "read",
    });
    await program.approveRequest({ id: user.id, network }, id);
    return { code, secret };
  };
  const [early, late] = [await linked(before), await linked(before)];
  const collected = async (program: typeof before, { code, secret }: typeof early) =>
    String((await program.collectToken(code, { network, program: "", webPage: null }, secret))?.token);
  const token = await collected(before, early);

  const during = await processWith(`${next} ${former}`);
  expect(await during.findTokenCaller(token)).toMatchObject({ id: user.id });
  await during.rotateSecrets(false);
  const waiting = await collected(during, late);

  const after = await processWith(next);
  for (const one of [token, waiting]) expect(await after.findTokenCaller(one)).toMatchObject({ id: user.id });
});

test("letters that are out under a former secret are not given out again, nor such as differ in one", async () => {
  const before = await processWith(former);
  const { code } = await before.askForCode({ network: before.newNetwork(), program: "", webPage: null });
  process.env.AUTH_SECRET = `${next} ${former}`;
  vi.resetModules();
  const similar = `${code.slice(0, 5)}${code.endsWith("Q") ? "X" : "Q"}`;
  const draws = [code, similar];
  const letters = await vi.importActual<typeof import("@/lib/link/letters")>("@/lib/link/letters");
  vi.doMock("@/lib/link/letters", () => ({ ...letters, drawLetters: () => draws.shift() ?? letters.drawLetters() }));
  const { askForCode } = await import("@/lib/link/ask");
  const { newNetwork } = await import("@/tests/support/network");
  expect([code, similar]).not.toContain((await askForCode({ network: newNetwork(), program: "", webPage: null })).code);
  expect(draws).toEqual([]);
  vi.doUnmock("@/lib/link/letters");
});
