import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import { findCaller } from "@/lib/auth/caller";
import { db } from "@/lib/db/client";
import type { Network } from "@/lib/network";
import { hashToken } from "@/lib/tokens";
import { newUsername } from "@/tests/support/user";
import { admin, answer, makeOperatorsUser, scratch } from "./command";

const HERE: Network = { id: "loopback", kind: "local" };

describe.concurrent("the admin command", () => {
  test("creates a user without a password, whose token works immediately", async () => {
    const username = newUsername();
    const created = await answer(["user:create", username]);
    expect(created).toEqual({ username, token: expect.stringMatching(/^lk_/) });
    expect(await findCaller(hashToken(String(created.token)))).toMatchObject({ username, role: "user" });
    await expect(authenticate(username, "", HERE)).rejects.toMatchObject({ code: "wrong_password" });
  });

  test("takes the password from standard input, as it is but for the end of its line", async () => {
    const username = newUsername();
    await answer(["user:create", username], " correct horse é\n");
    expect(await authenticate(username, " correct horse é", HERE)).toMatchObject({ username });
    expect(await answer(["user:password", username.toUpperCase()], "another password")).toEqual({ username });
    expect(await authenticate(username, "another password", HERE)).toMatchObject({ username });
    await expect(authenticate(username, " correct horse é", HERE)).rejects.toMatchObject({ code: "wrong_password" });
  });

  test("shows the token, and rotates it only when told to", async () => {
    const { username, token } = await makeOperatorsUser();
    expect(await answer(["user:token", username])).toEqual({ username, token });
    const rotated = await answer(["user:token", username, "--rotate"]);
    expect(rotated.token).not.toBe(token);
    await expect(findCaller(hashToken(token))).rejects.toMatchObject({ code: "invalid_token" });
    expect(await findCaller(hashToken(String(rotated.token)))).toMatchObject({ username });
  });

  test("sets the role, disables and enables", async () => {
    const { username, token } = await makeOperatorsUser();
    expect(await answer(["user:role", username, "admin"])).toEqual({ username, role: "admin" });
    expect(await findCaller(hashToken(token))).toMatchObject({ role: "admin" });
    expect(await answer(["user:disable", username])).toEqual({ username, disabled: true });
    await expect(findCaller(hashToken(token))).rejects.toMatchObject({ code: "account_disabled" });
    expect(await answer(["user:enable", username])).toEqual({ username, disabled: false });
    expect(await findCaller(hashToken(token))).toMatchObject({ username });
  });

  test("refuses a password that is too short, or none where one is needed, and changes nothing", async () => {
    const { username } = await makeOperatorsUser("correct horse");
    for (const input of ["short", "", null]) expect((await admin(["user:password", username], input)).status).toBe(2);
    expect(await authenticate(username, "correct horse", HERE)).toMatchObject({ username });
    const nobody = newUsername();
    expect((await admin(["user:create", nobody], "short")).status).toBe(2);
    expect(await db.user.count({ where: { usernameKey: nobody } })).toBe(0);
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
});
