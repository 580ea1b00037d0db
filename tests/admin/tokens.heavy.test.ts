import { expect, test } from "vitest";
import { findTokenCaller } from "@/lib/access-tokens/find";
import { admin, answer, makeOperatorsUser } from "./command";

test("the admin command creates, lists and revokes the tokens of a user's programs", async () => {
  const { username } = await makeOperatorsUser();
  const created = await answer(["token:create", username, "Nightly backup", "--access", "read", "--days", "30"]);
  const token = String(created.token);
  expect(created).toMatchObject({ name: "Nightly backup", access: "read", token: expect.stringMatching(/^lkt_/) });
  expect(await findTokenCaller(token)).toMatchObject({ username, accessToken: { access: "read" } });

  const { stdout } = await admin(["token:list", username.toUpperCase()]);
  expect(JSON.parse(stdout)).toMatchObject({ name: "Nightly backup", access: "read", state: "works", usedAt: null });
  expect(stdout).not.toContain(token);

  expect(await answer(["token:revoke", username, "nightly BACKUP"])).toEqual({ username, revoked: "Nightly backup" });
  await expect(findTokenCaller(token)).rejects.toMatchObject({ code: "invalid_token" });
  expect(await admin(["token:list", username])).toMatchObject({ status: 0, stdout: "" });
});

test("and says what is wrong", async () => {
  const { username } = await makeOperatorsUser();
  for (const [sent, status, sentence] of [
    [["token:create", username, "Tool", "--access", "all"], 2, /Allowed choices are identity, read, everything/],
    [["token:create", username, "Tool", "--days", "0"], 2, /The days must be a whole number from 1 to 36500\./],
    [["token:revoke", username, "Tool"], 1, /^There is no such token/],
  ] as const) {
    const ended = await admin([...sent]);
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([status, "", expect.stringMatching(sentence)]);
  }
});
