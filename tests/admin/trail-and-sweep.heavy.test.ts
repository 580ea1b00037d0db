import { describe, expect, test } from "vitest";
import { auditTrail } from "@/lib/audit";
import { openSession, SESSION_SECONDS } from "@/lib/auth/sessions";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { askForCode } from "@/lib/link/ask";
import { newUsername } from "@/tests/support/user";
import { admin, answer, makeOperatorsUser } from "./command";

describe.concurrent("the admin command", () => {
  test("what the operator did is written down as the operator's", async () => {
    const username = newUsername();
    await answer(["user:create", username]);
    const { id } = await db.user.findUniqueOrThrow({ where: { usernameKey: username } });
    await answer(["user:token", username]);
    await answer(["user:token", username, "--rotate"]);
    await answer(["user:role", username, "admin"]);
    await answer(["user:disable", username]);
    await answer(["user:enable", username]);
    await answer(["user:password", username], "another password");
    await answer(
      ["files:import", username, "-"],
      JSON.stringify([".folder", username, "origin/(c) users", [], "", 0, 0, 0, 1, 1, "", 0, [], "0".repeat(32)]),
    );
    const told = (await auditTrail({ subjectId: id }, 100)).reverse();
    const actions = [
      "user.create",
      "token.reveal",
      "token.rotate",
      "user.role",
      "user.disable",
      "user.enable",
      "user.password",
      "files.import",
    ];
    expect(told.map(({ action, actor, actorId }) => [action, actor, actorId])).toEqual(
      actions.map((action) => [action, "operator", "operator"]),
    );
  });

  test("tells what happened to a key and what a user did, in order, and of a deleted key too", async () => {
    const [creator, friend] = await Promise.all([makeOperatorsUser(), makeOperatorsUser()]);
    const viewer = { ...(await db.user.findUniqueOrThrow({ where: { usernameKey: creator.username } })) };
    const key = await createKey(viewer, { data: "a secret", price: "1", name: "Pass" });
    const row = await findKey(viewer, key.id);
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

    expect(await admin(["audit", "--key", "0".repeat(32)])).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "There is no key with this id.\n",
    });
    expect(await lines(["--key", key.id, "--user", creator.username])).toEqual(told);
    expect(await lines(["--key", key.id, "--action", "key.add"])).toEqual(told.slice(1, 2));
    expect(await lines(["--key", key.id, "--format", "json"])).toEqual([...told, { complete: true, events: 3 }]);
    const csv = await admin(["audit", "--user", creator.username, "--since", "1h", "--format", "csv"]);
    expect(csv.stdout.trimEnd().split("\r\n").at(-1)).toBe("complete,3,,,,,");
    for (const wrong of [
      ["--action", "nothing"],
      ["--since", "soon"],
      ["--format", "xml"],
      ["--follow", "--until", "1h"],
    ])
      expect((await admin(["audit", ...wrong])).status).toBe(2);
    for (const limit of ["0", "-1", "x", "10001", "1.5"])
      expect((await admin(["audit", `--limit=${limit}`])).status).toBe(2);
  });

  test("sweeps what has outlived its use, once, and leaves the rest", async () => {
    const { id: userId, username } = await makeOperatorsUser();
    const [old, now] = [new Date(Date.now() - 31 * 86_400_000), new Date()];
    const session = (expiresAt: Date) =>
      openSession(
        { id: userId },
        { userAgent: "", network: "loopback" },
        new Date(expiresAt.getTime() - SESSION_SECONDS * 1_000),
      );
    const kept = await session(new Date(now.getTime() + 3_600_000));
    await session(now);
    for (const time of [old, old, now])
      await askForCode({ network: { id: "loopback", kind: "local" }, program: "", webPage: null }, time);
    await db.fileDraft.create({ data: { id: username, userId, refreshedAt: old } });
    expect(await answer(["sweep"])).toEqual({
      codes: 2,
      filePieces: 0,
      sessions: 1,
      challenges: 0,
      tokens: 0,
      oneTimeLinks: 0,
      claimLinks: 0,
      addresses: 0,
      mail: 0,
      sealing: expect.any(Number),
      accounts: 0,
      // Recent events are counted again until no transaction can add to them.
      userSummaries: expect.any(Number),
      blocks: 0,
    });
    expect(await answer(["sweep"])).toEqual({
      codes: 0,
      filePieces: 0,
      sessions: 0,
      challenges: 0,
      tokens: 0,
      oneTimeLinks: 0,
      claimLinks: 0,
      addresses: 0,
      mail: 0,
      sealing: expect.any(Number),
      accounts: 0,
      userSummaries: expect.any(Number),
      blocks: 0,
    });
    expect(await db.session.findMany({ where: { userId } })).toMatchObject([{ id: kept }]);
    expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
    expect((await admin(["sweep", "codes"])).status).toBe(2);
  });
});
