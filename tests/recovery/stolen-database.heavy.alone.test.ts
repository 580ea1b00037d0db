import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { authenticateWithPasskey } from "@/lib/auth/authenticate-with-passkey";
import { authOptions } from "@/lib/auth/options";
import { openSession } from "@/lib/auth/sessions";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { addPasskey } from "@/lib/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/passkeys/challenge";
import { verifyRegistration } from "@/lib/passkeys/register";
import { createInvitation, findInvitation } from "@/lib/recovery/invitations";
import { findProven } from "@/lib/recovery/proof";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { tables } from "@/prisma/generated/tables";
import { Authenticator } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { codeOf, secretOf } from "./refused";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "http://localhost:3000";
});

const PASSWORD = "correct horse battery";
const party = { id: "localhost", origin: "http://localhost:3000" };

/** One of each: what a thief would like to find. */
async function secretsOfSomebody() {
  const user = await createUser({ username: newUsername(), password: PASSWORD });
  const sessionId = String(await openSession(user, { userAgent: "", network: "" }));
  const [browser, network, key] = [newId(), newNetwork(), new Authenticator(party.origin)];
  const adding: Ceremony = { purpose: "add", browser, subject: user.id };
  const added = newChallenge(adding);
  await addPasskey(user.id, await verifyRegistration(key.create(added), party, adding));
  const used = newChallenge({ purpose: "sign in", browser, subject: "" });
  await authenticateWithPasskey(key.get(used), { party, browser, network });
  const open = newChallenge({ purpose: "sign in", browser, subject: "" });
  const codes = await createRecoveryCodes({ ...user, sessionId }, PASSWORD, network);
  const link = secretOf((await createRecoveryLink(user.username)).link);
  const invitation = secretOf((await createInvitation({ username: null, role: "admin" })).link);
  return { user, key, browser, secrets: [added, used, open, ...codes, link, invitation, user.token, PASSWORD] };
}

/** Every value of every column of every table, as text. */
async function stolenTexts(): Promise<string[]> {
  const texts = new Set<string>();
  for (const { name, columns } of tables) {
    const rows = await db.$queryRawUnsafe<Record<string, unknown>[]>(`SELECT * FROM "${name}"`);
    for (const row of rows)
      for (const column of columns) {
        const value = row[column.name];
        if (value instanceof Uint8Array)
          for (const as of ["hex", "base64url", "utf8"] as const) texts.add(Buffer.from(value).toString(as));
        else if (value !== null && value !== undefined) texts.add(String(value));
      }
  }
  return [...texts].filter((text) => text !== "");
}

test("a stolen database has and opens no recovery code, link, invitation, challenge or session", async () => {
  const { user, key, browser, secrets } = await secretsOfSomebody();
  const texts = await stolenTexts();
  const hashed = createHash("sha256")
    .update(secrets.at(-4) ?? "")
    .digest("hex");
  expect(texts, "the search finds what is there").toContain(hashed);
  for (const text of texts)
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(secret.replaceAll("-", ""));
    }

  const { secret, jwt } = authOptions("http://127.0.0.1");
  const opened: string[] = [];
  for (const text of texts) {
    const at = { party, browser, network: newNetwork() };
    const tries = {
      code: () => findProven({ through: "code", username: user.username, code: text }, at.network),
      link: () => findProven({ through: "link", secret: text }, at.network),
      invitation: () => findInvitation(text, at.network),
      challenge: () => authenticateWithPasskey(key.get(text), at),
      session: async () => (await jwt?.decode?.({ token: text, secret: String(secret) })) ?? Promise.reject(),
    };
    for (const [kind, open] of Object.entries(tries)) {
      const isOpen = await open().then(
        () => true,
        () => false,
      );
      if (isOpen) opened.push(`${kind}: ${text}`);
    }
  }
  expect(opened).toEqual([]);
  expect(texts.length).toBeGreaterThan(50);
  expect(
    await codeOf(findProven({ through: "code", username: user.username, code: secrets[3] ?? "" }, newNetwork())),
  ).toBe("ok");
});
