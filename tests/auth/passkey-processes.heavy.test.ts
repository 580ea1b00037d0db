import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { addPasskey } from "@/lib/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/passkeys/challenge";
import { verifyRegistration } from "@/lib/passkeys/register";
import { Authenticator } from "@/tests/support/authenticator";
import { makeUser } from "@/tests/support/user";

const ROUNDS = 40;
/** What is said of a challenge that was answered before. */
const TAKEN = "ApiError: The request for your passkey has expired. Try again.";
const party = { id: "localhost", origin: "http://localhost:3000" };

async function rival(task: object): Promise<{ accepted: number[]; refused: string[] }> {
  const child = spawn(process.execPath, ["--import", "tsx", "tests/auth/passkey-rival.ts"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(JSON.stringify(task));
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (printed === "") throw new Error(complaint);
  return JSON.parse(printed);
}

test("two processes know the challenges of a third, and each challenge is answered in one of them", async () => {
  const user = await makeUser();
  const key = new Authenticator(party.origin);
  const adding: Ceremony = { purpose: "add", browser: newId(), subject: user.id };
  await addPasskey(user.id, await verifyRegistration(key.create(newChallenge(adding)), party, adding));

  const ceremony: Ceremony = { purpose: "sign in", browser: newId(), subject: "" };
  const answers = Array.from({ length: ROUNDS }, () => key.get(newChallenge(ceremony)));
  const task = { party, ceremony, answers, startAt: Date.now() + 3_000 };
  const rivals = await Promise.all([rival(task), rival(task)]);
  const accepted = rivals.flatMap((one) => one.accepted).sort((a, b) => a - b);
  const refused = new Set(rivals.flatMap((one) => one.refused));
  expect(accepted, [...refused].join("\n")).toEqual(answers.map((_, place) => place));
  expect([...refused]).toEqual([TAKEN]);
});
