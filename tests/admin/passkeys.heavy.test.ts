import { expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { findUser } from "@/lib/user";
import { admin, answer, makeOperatorsUser } from "./command";

test("the admin command lists a user's passkeys and removes one, the last only while a link is open", async () => {
  const { username } = await makeOperatorsUser();
  const { id: userId } = await findUser(username);
  const id = newId();
  await db.passkey.create({
    data: {
      id,
      userId,
      credentialId: newId(),
      host: "localhost",
      publicKey: Buffer.from("key"),
      counter: 0n,
      transports: "",
      name: "Lost phone",
      createdAt: new Date(),
    },
  });
  const listed = await answer(["user:passkeys", username.toUpperCase()]);
  expect(listed).toEqual({
    passkey: id,
    name: "Lost phone",
    host: "localhost",
    createdAt: expect.any(String),
    usedAt: null,
  });
  const last = await admin(["user:passkeys", username, "--remove", id]);
  expect([last.status, last.stderr]).toEqual([1, expect.stringMatching(/^This is the user's only way to sign in/)]);
  expect((await admin(["user:recover", username], null, { NEXTAUTH_URL: "https://keys.example" })).status).toBe(0);
  expect(await answer(["user:passkeys", username, "--remove", id])).toEqual({ username, removed: "Lost phone" });
  expect(await admin(["user:passkeys", username])).toMatchObject({ status: 0, stdout: "" });
  const again = await admin(["user:passkeys", username, "--remove", id]);
  expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/^There is no such passkey/)]);
  const events = (await answer(["audit", "--limit", "1"])) as { action: string; actor: string };
  expect(events).toMatchObject({ action: "passkey.remove", actor: "operator", subject: userId });
});
