import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "next-auth/jwt";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { runAdmin, runScript } from "@/tests/support/admin";
import { emptyDatabase } from "@/tests/support/databases";

const folder = String(process.env.DATA_DIR);
const former = String(process.env.AUTH_SECRET);
const newSecret = () => randomBytes(32).toString("base64url");
const next = newSecret();
const WRONG = /^AUTH_SECRET is not the secret that this database uses\. [^\n]+--lost[^\n]+\n?$/;
const caller = { program: "", webPage: null };

const load = async () => ({
  ...(await import("@/lib/accounts/identity/access-tokens/use")),
  ...(await import("@/lib/accounts/identity/token")),
  ...(await import("@/lib/accounts/ways-in/next-auth")),
  ...(await import("@/lib/operator/secrets")),
  ...(await import("@/lib/accounts/ways-in/create")),
  ...(await import("@/lib/accounts/identity/validators")),
  ...(await import("@/lib/platform/crypto/signing-keys")),
  ...(await import("@/lib/operator/rotate")),
  ...(await import("@/lib/platform/db/client")),
  ...(await import("@/lib/platform/db/migrate")),
  ...(await import("@/lib/files/read")),
  ...(await import("@/lib/files/import")),
  ...(await import("@/lib/link/create")),
  ...(await import("@/lib/link/approve")),
  ...(await import("@/lib/link/enter")),
  ...(await import("@/lib/link/collect")),
  ...(await import("@/lib/link/ticket")),
  ...(await import("@/lib/accounts/ways-in/recovery/codes")),
  ...(await import("@/lib/platform/crypto/data-keys")),
  ...(await import("@/lib/platform/crypto/user-keys")),
  ...(await import("@/scripts/admin/program")),
  ...(await import("@/tests/recovery/recover-by")),
  ...(await import("@/tests/support/documents")),
  ...(await import("@/tests/support/request")),
  ...(await import("@/tests/support/user")),
});
type Program = Awaited<ReturnType<typeof load>>;
const programs = new Map<string, Program>();

async function processWith(secrets: string): Promise<Program> {
  process.env.AUTH_SECRET = secrets;
  const name = `${process.env.DATA_DIR} ${secrets}`;
  vi.resetModules();
  const program = programs.get(name) ?? (await load());
  programs.set(name, program);
  program.forgetDataKeys();
  program.forgetUserKeys();
  program.forgetSigningKeys();
  return program;
}

beforeEach(() => {
  process.env.DATA_DIR = folder;
});
afterAll(() => {
  process.env.AUTH_SECRET = former;
});

test("a wrong secret is noticed by the admin command and by the start", async () => {
  const environment = { ...process.env, DATABASE_URL: "", ...(await emptyDatabase()) };
  await runAdmin(["user:create", "alice"], { ...environment, AUTH_SECRET: former });
  const wrong = { ...environment, AUTH_SECRET: next };
  for (const ended of [runAdmin(["user:token", "alice"], wrong), runScript("scripts/migrate.ts", [], wrong)])
    expect(await ended).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(WRONG) });
});

test("what is stored outlives a new secret, and a lost one once it is found again", async () => {
  await (await processWith(former)).closeDatabase();
  process.env.DATA_DIR = mkdtempSync(join(folder, "empty-"));
  const opened = async (secrets: string) => {
    const program = await processWith(secrets);
    await program.checkSecrets("command");
    return program;
  };
  const rotate = async (secrets: string, ...options: string[]) => {
    const printed = vi.spyOn(console, "log").mockReturnValue();
    try {
      const { adminProgram } = await processWith(secrets);
      await adminProgram().parseAsync(["secrets:rotate", ...options], { from: "user" });
      return JSON.parse(printed.mock.calls.join());
    } finally {
      printed.mockRestore();
    }
  };
  const start = async (secrets: string) => (await processWith(secrets)).checkSecrets("service");
  const filesOf = async (secrets: string, { id }: { id: string }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await (await opened(secrets)).exportDocument(id)) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString());
  };
  const newUser = async (secrets: string, username: string) => {
    const { createUser, importDocument, smallDocument, chunks } = await opened(secrets);
    const user = await createUser({ username });
    const document = smallDocument(username);
    await importDocument(user, chunks(JSON.stringify(document)));
    return { ...user, document };
  };
  const [third, found] = [newSecret(), newSecret()];
  await (await processWith(former)).migrate();
  const alice = await newUser(former, "alice");
  const kidsOf = async (secrets: string) => (await (await opened(secrets)).publicKeySet()).keys.map(({ kid }) => kid);
  const signing = await kidsOf(former);

  await expect(opened(`${next},${former}`)).rejects.toThrow("start the service with it first");
  await start(`${next},${former}`);
  const bob = await newUser(`${next},${former}`, "bob");
  for (const wrong of [former, next]) await expect(rotate(wrong)).rejects.toThrow(WRONG);
  expect(await rotate(`${next},${former}`)).toEqual({ users: 1, newTokens: 0, dataKeys: 1, signingKeys: 1 });
  expect(await rotate(`${next},${former}`)).toEqual({ users: 0, newTokens: 0, dataKeys: 1, signingKeys: 1 });
  for (const user of [alice, bob]) {
    expect(await (await opened(next)).revealToken(user.id)).toBe(user.token);
    expect(await filesOf(next, user)).toEqual(user.document);
  }
  expect(await kidsOf(next)).toEqual(signing);

  await expect(rotate(found)).rejects.toThrow(WRONG);
  const lost = { keys: 0, usersWithFiles: 2, advice: expect.stringContaining("unless the former secret is found") };
  expect(await rotate(found, "--lost")).toEqual({ users: 2, newTokens: 2, dataKeys: 0, signingKeys: 0, lost });
  expect(await (await opened(found)).revealToken(alice.id)).toMatch(/^lk_/);
  expect(await (await opened(found)).revealToken(alice.id)).not.toBe(alice.token);
  await start(found);
  await expect(filesOf(found, alice)).rejects.toThrow();
  const carol = await newUser(found, "carol");
  expect(await filesOf(found, carol)).toEqual(carol.document);
  const replaced = await kidsOf(found);
  expect(replaced).toHaveLength(1);
  expect(replaced).not.toEqual(signing);

  await start(`${third},${found},${next}`);
  expect(await rotate(`${third},${found},${next}`)).toEqual({ users: 3, newTokens: 0, dataKeys: 2, signingKeys: 2 });
  expect(await kidsOf(third)).toEqual([...replaced, ...signing]);
  for (const user of [alice, bob, carol]) expect(await filesOf(third, user)).toEqual(user.document);
  await (await processWith(third)).closeDatabase();
});

test("what was made under one secret is good while it is the second one, and tokens are afterwards too", async () => {
  const before = await processWith(former);
  const user = await before.createUser({ username: before.newUsername() });
  const network = before.newNetwork();
  const [recoveryCode] = await before.createRecoveryCodes(await before.signedIn(user), "", { network });
  const requested = await before.createCode({ network, ...caller });
  const sealed = before.sealTicket({ id: "1", since: 0, code: requested.code, isTransliterated: false, request: null });
  const cookie = await encode({
    token: { sessionId: "a session" },
    secret: String(before.authOptions("http://127.0.0.1").secret),
  });

  const during = await processWith(`${next} ${former}`);
  expect(await during.findCaller(await during.storedTokenHash(user.token))).toMatchObject({ id: user.id });
  expect(await during.revealToken(user.id)).toBe(user.token);
  expect(during.openTicket(sealed)).toMatchObject({ code: requested.code });
  const { secret, jwt } = during.authOptions("http://127.0.0.1");
  expect(await jwt?.decode?.({ token: cookie, secret: String(secret) })).toMatchObject({ sessionId: "a session" });
  await expect(decode({ token: cookie, secret: String(secret) })).rejects.toThrow();

  const linkId = await during.findRequest({ id: user.id, network }, requested.code);
  await during.approveRequest({ id: user.id, network }, linkId);
  const progress: number[] = [];
  await during.rotateSecrets(false, (part) => progress.push(part));
  expect(progress.at(-1)).toBe(1);
  expect(await during.collectToken({ network, ...caller }, requested.code, { secret: requested.secret })).toEqual({
    token: user.token,
  });

  const after = await processWith(next);
  expect(await after.findCaller(await after.storedTokenHash(user.token))).toMatchObject({ id: user.id });
  expect(await after.revealToken(user.id)).toBe(user.token);
  const recovered = after.recoverByCode(user.username, String(recoveryCode), {
    password: "another horse battery",
    network,
  });
  expect(await recovered).toMatchObject({ id: user.id });
  expect(await after.collectToken({ network, ...caller }, requested.code, { secret: requested.secret })).toBeNull();
  expect(after.openTicket(sealed)).toBeNull();
  await expect(after.authOptions("http://127.0.0.1").jwt?.decode?.({ token: cookie, secret: "" })).rejects.toThrow();
});

test("so is a program's own token: its link is collected under the next secret, and it works under any", async () => {
  const before = await processWith(former);
  const user = await before.createUser({ username: before.newUsername() });
  const network = before.newNetwork();
  const linked = async (program: typeof before) => {
    const { code, id, secret } = await program.createCode({ network, ...caller }, { access: "read" });
    await program.approveRequest({ id: user.id, network }, id);
    return { code, secret };
  };
  const [early, late] = [await linked(before), await linked(before)];
  const collected = async (program: typeof before, { code, secret }: typeof early) =>
    String((await program.collectToken({ network, ...caller }, code, { secret }))?.token);
  const token = await collected(before, early);

  const during = await processWith(`${next} ${former}`);
  expect(await during.findTokenCaller(token)).toMatchObject({ id: user.id });
  await during.rotateSecrets(false);
  const waiting = await collected(during, late);

  const after = await processWith(next);
  for (const one of [token, waiting]) expect(await after.findTokenCaller(one)).toMatchObject({ id: user.id });
});

test("a code that is out under a former secret is not issued again, nor one that differs in one letter", async () => {
  const before = await processWith(former);
  const { code } = await before.createCode({ network: before.newNetwork(), ...caller });
  process.env.AUTH_SECRET = `${next} ${former}`;
  vi.resetModules();
  const similar = `${code.slice(0, 5)}${code.endsWith("Q") ? "X" : "Q"}`;
  const draws = [code, similar];
  const actual = await vi.importActual<typeof import("@/lib/link/code")>("@/lib/link/code");
  vi.doMock("@/lib/link/code", () => ({ ...actual, drawCode: () => draws.shift() ?? actual.drawCode() }));
  const { createCode } = await import("@/lib/link/create");
  const { newNetwork } = await import("@/tests/support/request");
  expect([code, similar]).not.toContain((await createCode({ network: newNetwork(), ...caller })).code);
  expect(draws).toEqual([]);
  vi.doUnmock("@/lib/link/code");
});
