import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditTrail } from "@/lib/audit";
import { authenticate } from "@/lib/auth/authenticate";
import { findCaller } from "@/lib/auth/caller";
import { openSession, SESSION_SECONDS } from "@/lib/auth/sessions";
import { closeDatabase, db } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findFor } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { askForCode } from "@/lib/link/ask";
import type { Network } from "@/lib/network";
import { hashToken } from "@/lib/tokens";
import { runAdmin } from "@/tests/support/admin";
import { newUsername } from "@/tests/support/user";

const HERE: Network = { id: "loopback", kind: "local" };

const scratch = mkdtempSync(join(tmpdir(), "latchkey-admin-"));
// This process has the database open all the time, as the service would.
beforeAll(() => migrate().then(() => {}));
afterAll(async () => {
  await closeDatabase();
  rmSync(scratch, { recursive: true });
});

const admin = (sent: string[], input: string | null = null, environment: Record<string, string> = {}) =>
  runAdmin(sent, { ...process.env, LOG_LEVEL: "info", ...environment }, input);

async function answer(sent: string[], input: string | null = null): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await admin(sent, input);
  expect([status, stderr], stdout).toEqual([0, ""]);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

async function createUser(password: string | null = null): Promise<{ username: string; token: string }> {
  const { username, token } = await answer(["user:create", newUsername()], password);
  return { username: String(username), token: String(token) };
}

describe.concurrent("the admin command", () => {
  test("makes a user without a password, whose token works at once", async () => {
    const username = newUsername();
    const created = await answer(["user:create", username]);
    expect(created).toEqual({ username, token: expect.stringMatching(/^lk_/) });
    expect(await findCaller(hashToken(String(created.token)))).toMatchObject({ username, role: "user" });
    await expect(authenticate(username, "", HERE)).rejects.toMatchObject({ code: "wrong_password" });
  });

  test("takes the password from standard input, as it is but for the end of its line", async () => {
    const { username } = await createUser(" correct horse é\n");
    expect(await authenticate(username, " correct horse é", HERE)).toMatchObject({ username });
    expect(await answer(["user:password", username.toUpperCase()], "another password")).toEqual({ username });
    expect(await authenticate(username, "another password", HERE)).toMatchObject({ username });
    await expect(authenticate(username, " correct horse é", HERE)).rejects.toMatchObject({ code: "wrong_password" });
  });

  test("shows the token, and rotates it only when told to", async () => {
    const { username, token } = await createUser();
    expect(await answer(["user:token", username])).toEqual({ username, token });
    const rotated = await answer(["user:token", username, "--rotate"]);
    expect(rotated.token).not.toBe(token);
    await expect(findCaller(hashToken(token))).rejects.toMatchObject({ code: "invalid_token" });
    expect(await findCaller(hashToken(String(rotated.token)))).toMatchObject({ username });
  });

  test("sets the role, disables and enables", async () => {
    const { username, token } = await createUser();
    expect(await answer(["user:role", username, "admin"])).toEqual({ username, role: "admin" });
    expect(await findCaller(hashToken(token))).toMatchObject({ role: "admin" });
    expect(await answer(["user:disable", username])).toEqual({ username, disabled: true });
    await expect(findCaller(hashToken(token))).rejects.toMatchObject({ code: "account_disabled" });
    expect(await answer(["user:enable", username])).toEqual({ username, disabled: false });
    expect(await findCaller(hashToken(token))).toMatchObject({ username });
  });

  test("names all of a document that cannot be imported, and leaves it out only when told to", async () => {
    const { username } = await createUser();
    const home = `origin/(c) users/${username.toLowerCase()}`;
    const entry = (type: string, name: string, location: string, id: string) => [
      type,
      name,
      location,
      type === ".txt" ? "x" : null,
      "",
      0,
      0,
      0,
      1,
      2,
      "",
      0,
      [],
      id,
    ];
    const entries = [entry(".txt", "Early", `${home}/docs`, "e"), entry(".folder", username, "origin/(c) users", "r"), entry(".folder", "Docs", home, "d")];
    const lost = [entry(".txt", "kit", "/kit", "k"), entry(".txt", "orphan", `${home}/gone`, "o")];
    const text = JSON.stringify([...entries, ...lost].flat());
    const refused = await admin(["files:import", username, "-"], text);
    expect([refused.status, refused.stdout]).toEqual([1, ""]);
    for (const said of [
      "Entry 4, location:",
      "Entry 5, location:",
      "2 of 5 entries cannot be imported. Nothing was changed. With --skip the other 3 are imported.",
    ])
      expect(refused.stderr).toContain(said);
    expect((await admin(["files:export", username])).status).toBe(1);
    const skipped = await admin(["files:import", username, "-", "--skip"], text);
    expect(JSON.parse(skipped.stdout)).toMatchObject({ username, entries: 3, skipped: 2 });
    expect(JSON.parse((await admin(["files:export", username])).stdout).length).toBe(3 * 14);
  });

  test("imports a document from a file or standard input, and exports it value for value", async () => {
    const { username } = await createUser();
    const place = `origin/(c) users/${username}`;
    const text = [".txt", "hello", place, "Hello, \u0000wörld 😀", null, 0, 0.5, "0", 1790000000000, 1790000000000, "", 18, [username], "0".repeat(32)];
    const root = [".folder", username, "origin/(c) users", ["0".repeat(32)], "", 0, 0, 0, 1790000000000, 1790000000000, "", 1, [username], "f".repeat(32)];
    const file = join(scratch, `${username}.json`);
    writeFileSync(file, JSON.stringify([...root, ...text], null, 2));

    expect((await admin(["files:export", username])).status).toBe(1);
    expect(await answer(["files:import", username, file])).toMatchObject({ username, entries: 2 });
    const exported = await admin(["files:export", username]);
    expect([exported.status, exported.stderr, JSON.parse(exported.stdout)]).toEqual([0, "", [...root, ...text]]);
    expect(await answer(["files:import", username, "-"], exported.stdout)).toMatchObject({ username, entries: 2 });
    expect((await admin(["files:export", username])).stdout).toBe(exported.stdout);

    const broken = await admin(["files:import", username, "-"], exported.stdout.slice(0, -20));
    expect([broken.status, broken.stdout, broken.stderr]).toEqual([1, "", expect.stringMatching(/^[^\n]+\n$/)]);
    expect((await admin(["files:export", username])).stdout).toBe(exported.stdout);
  });

  test("says how it is typed, with status 2", async () => {
    const { status, stdout, stderr } = await admin(["user:create", "alice", "bob"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^[^\n]+\nUsage:\n(?: {2}npm run --silent admin -- [^\n]+\n){14}$/);
    expect((await admin(["user:create", "bad name"])).status).toBe(2);
  });

  test("refuses a password that is too short, or none where one is needed, and changes nothing", async () => {
    const { username } = await createUser("correct horse");
    for (const input of ["short", "", null]) expect((await admin(["user:password", username], input)).status).toBe(2);
    expect(await authenticate(username, "correct horse", HERE)).toMatchObject({ username });
    const nobody = newUsername();
    expect((await admin(["user:create", nobody], "short")).status).toBe(2);
    expect(await db.user.count({ where: { usernameKey: nobody } })).toBe(0);
  });

  test("refuses a password of several lines or of blanks, because nobody means one", async () => {
    const { username } = await createUser();
    for (const [input, sentence] of [
      ["first line\nsecond line\n", "A password is one line"],
      ["correct horse\n\n", "A password is one line"],
      ["          \n", "A password of blanks alone"],
    ] as const) {
      const { status, stderr } = await admin(["user:password", username], input);
      expect([status, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^${sentence}`))]);
    }
  });

  test.each([["--help"], ["help"], ["user:create", "--help"]])("%s tells the commands on standard output", async (...sent) => {
    const { status, stdout, stderr } = await admin(sent);
    expect([status, stderr, stdout.includes("user:create <name>")]).toEqual([0, "", true]);
  });

  test("what the operator did is written down as the operator's", async () => {
    const { username } = await createUser();
    const { id } = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
    await answer(["user:token", username]);
    await answer(["user:token", username, "--rotate"]);
    await answer(["user:role", username, "admin"]);
    await answer(["user:disable", username]);
    await answer(["user:enable", username]);
    await answer(["user:password", username], "another password");
    await answer(["files:import", username, "-"], JSON.stringify([".folder", username, "origin/(c) users", [], "", 0, 0, 0, 1, 1, "", 0, [], "0".repeat(32)]));
    const told = (await auditTrail({ subjectId: id }, 100)).reverse();
    const actions = ["user.create", "token.reveal", "token.rotate", "user.role", "user.disable", "user.enable", "user.password", "files.import"];
    expect(told.map(({ action, actor, actorId }) => [action, actor, actorId])).toEqual(actions.map((action) => [action, "operator", "operator"]));
  });

  test("an unknown user is one sentence and status 1", async () => {
    const { status, stdout, stderr } = await admin(["user:token", newUsername()]);
    expect([status, stdout, stderr]).toEqual([1, "", "There is no user with this name.\n"]);
  });

  test("a name that is taken, and a file that is not there, are one sentence and status 1", async () => {
    const { username } = await createUser();
    for (const sent of [
      ["user:create", username.toUpperCase()],
      ["files:import", username, join(scratch, "missing.json")],
    ])
      expect(await admin(sent)).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  });

  test("two at once make the database where there is none yet", async () => {
    const DATA_DIR = join(scratch, "empty");
    const names = [newUsername(), newUsername()];
    const ended = await Promise.all(names.map((name) => admin(["user:create", name], null, { DATA_DIR })));
    expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(["latchkey.db", "secret"]));
    expect((await admin(["user:token", names[0] ?? ""], null, { DATA_DIR })).stdout).toBe(ended[0]?.stdout);
  });

  test("tells what happened to a key and what a user did, in order, and of a deleted key too", async () => {
    const [creator, friend] = await Promise.all([createUser(), createUser()]);
    const viewer = { ...(await db.user.findUniqueOrThrow({ where: { usernameKey: creator.username } })) };
    const key = await createKey(viewer, { data: "a secret", price: "1", name: "Pass" });
    const row = await findFor(viewer, key.id);
    await addHolder(viewer, row, friend.username);
    await deleteKey(viewer, row);

    const lines = async (sent: string[]) => {
      const { status, stdout, stderr } = await admin(["audit", ...sent]);
      expect([status, stderr]).toEqual([0, ""]);
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const told = await lines(["--key", key.id]);
    const common = { at: expect.stringMatching(/Z$/), subject: key.id, actor: creator.username, actorId: viewer.id };
    expect(told).toEqual([
      { ...common, action: "key.create", detail: {} },
      { ...common, action: "key.add", detail: { user: friend.username } },
      { ...common, action: "key.delete", detail: { name: "Pass" } },
    ]);
    expect(await lines(["--user", creator.username.toUpperCase()])).toEqual(told);
    expect(await lines(["--user", creator.username, "--limit", "1"])).toEqual(told.slice(-1));
    expect(JSON.stringify(await lines([]))).not.toContain("a secret");

    expect(await admin(["audit", "--key", "0".repeat(32)])).toMatchObject({ status: 1, stdout: "", stderr: "There is no key with this id.\n" });
    expect((await admin(["audit", "--key", key.id, "--user", creator.username])).status).toBe(2);
    for (const limit of ["0", "-1", "x", "10001", "1.5"]) expect((await admin(["audit", `--limit=${limit}`])).status).toBe(2);
  });

  test("sweeps what has outlived its use, once, and leaves the rest", async () => {
    const { username } = await createUser();
    const { id: userId } = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
    const [old, now] = [new Date(Date.now() - 31 * 86_400_000), new Date()];
    const session = (expiresAt: Date) =>
      openSession({ id: userId }, { userAgent: "", network: "loopback" }, new Date(expiresAt.getTime() - SESSION_SECONDS * 1_000));
    const kept = await session(new Date(now.getTime() + 60_000));
    await session(now);
    for (const time of [old, old, now]) await askForCode({ network: HERE, program: "", webPage: null }, time);
    await db.fileDraft.create({ data: { id: username, userId, refreshedAt: old } });
    expect(await answer(["sweep"])).toEqual({ codes: 2, filePieces: 0, sessions: 1, accounts: 0 });
    expect(await answer(["sweep"])).toEqual({ codes: 0, filePieces: 0, sessions: 0, accounts: 0 });
    expect(await db.session.findMany({ where: { userId } })).toMatchObject([{ id: kept }]);
    expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
    expect((await admin(["sweep", "codes"])).status).toBe(2);
  });

  test("a bad variable stops it with one sentence", async () => {
    const { status, stdout, stderr } = await admin(["user:create", newUsername()], null, { TRUSTED_PROXIES: "many" });
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^The environment variable TRUSTED_PROXIES is not valid: [^\n]+\.\n$/)]);
  });
});
