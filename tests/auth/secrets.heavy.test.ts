import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operatorOnEmptyDatabase } from "@/tests/support/operator-on-empty-database";

const newSecret = () => randomBytes(32).toString("base64url");
const WRONG = {
  refused: expect.stringMatching(/^AUTH_SECRET is not the secret that this database uses\. [^\n]+--lost[^\n]+\n$/),
};

test("a secret is replaced without losing a token, and a missing one is noticed immediately", async () => {
  const [former, next] = [newSecret(), newSecret()];
  const { admin, start } = await operatorOnEmptyDatabase();
  const alice = await admin(former, "user:create", "alice");
  expect(alice.token).toMatch(/^lk_/);

  expect(await admin(next, "user:token", "alice")).toEqual(WRONG);
  expect(await start(next)).toMatchObject({ status: 1, stderr: WRONG.refused });
  expect(await admin(`${next},${former}`, "user:token", "alice")).toEqual({
    refused: expect.stringContaining("start the service with it first"),
  });

  expect(await start(`${next},${former}`)).toMatchObject({ status: 0, stderr: "" });
  const bob = await admin(`${next} ${former}`, "user:create", "bob");
  expect(await admin(former, "user:token", "alice")).toEqual(WRONG);
  expect(await admin(next, "secrets:rotate")).toEqual(WRONG);
  expect(await admin(`${next} ${former}`, "secrets:rotate")).toEqual({ users: 1, newTokens: 0, dataKeys: 0 });
  expect(await admin(`${next} ${former}`, "secrets:rotate")).toEqual({ users: 0, newTokens: 0, dataKeys: 0 });
  for (const user of [alice, bob]) expect(await admin(next, "user:token", String(user.username))).toEqual(user);
});

test("a secret that is lost ends with new tokens for all, when told to", async () => {
  const { admin } = await operatorOnEmptyDatabase();
  const alice = await admin(newSecret(), "user:create", "alice");
  const found = newSecret();
  expect(await admin(found, "secrets:rotate")).toEqual(WRONG);
  expect(await admin(found, "secrets:rotate", "--lost")).toEqual({ users: 1, newTokens: 1, dataKeys: 0 });
  const renewed = await admin(found, "user:token", "alice");
  expect(renewed).toEqual({ username: "alice", token: expect.stringMatching(/^lk_/) });
  expect(renewed.token).not.toBe(alice.token);
});

test("what is stored outlives a new secret, and a lost one once it is found again", async () => {
  const [former, next, found] = [newSecret(), newSecret(), newSecret()];
  const { admin, start, database } = await operatorOnEmptyDatabase();
  await admin(former, "user:create", "alice");
  const file = join(database.DATA_DIR, "document.json");
  const folder = [".folder", "alice", "origin/(c) users", [], "", 0, 0, 0, 1, 1, "", 0, [], "0".repeat(32)];
  writeFileSync(file, JSON.stringify(folder));
  await admin(former, "files:import", "alice", file);
  const document = await admin(former, "files:export", "alice");
  expect(document).toEqual(folder);

  expect(await start(`${next},${former}`)).toMatchObject({ status: 0 });
  expect(await admin(`${next},${former}`, "secrets:rotate")).toEqual({ users: 1, newTokens: 0, dataKeys: 1 });
  expect(await admin(next, "files:export", "alice")).toEqual(document);

  expect(await admin(found, "secrets:rotate")).toEqual(WRONG);
  const lost = { keys: 0, usersWithFiles: 1, advice: expect.stringContaining("unless the former secret is found") };
  expect(await admin(found, "secrets:rotate", "--lost")).toEqual({ users: 1, newTokens: 1, dataKeys: 0, lost });
  expect(await start(found)).toMatchObject({ status: 0, stderr: "" });
  expect(await admin(found, "files:export", "alice")).toEqual({ refused: expect.any(String) });
  await admin(found, "user:create", "bob");
  await admin(found, "files:import", "bob", file);
  expect(await admin(found, "files:export", "bob")).toEqual(folder.with(1, "bob"));

  expect(await start(`${found},${next}`)).toMatchObject({ status: 0 });
  expect(await admin(`${found},${next}`, "secrets:rotate")).toEqual({ users: 0, newTokens: 0, dataKeys: 2 });
  expect(await admin(found, "files:export", "alice")).toEqual(document);
});
