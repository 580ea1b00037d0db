import { createDecipheriv, createHash } from "node:crypto";
import { expect, it } from "vitest";
import { removeToken } from "@/lib/access-tokens/remove";
import { sweepTokens } from "@/lib/access-tokens/sweep";
import { deleteAccount } from "@/lib/account/delete";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { askForCode } from "@/lib/link/ask";
import { approveRequest } from "@/lib/link/decide";
import { authSecrets, deriveKey } from "@/lib/secrets";
import { newNetwork } from "@/tests/support/network";
import { makeUser, newUsername } from "@/tests/support/user";
import { at, collect, PROGRAM } from "./flow";

/** Every text that a row of this user's holds. */
async function stolen(userId: string): Promise<Record<string, unknown>[]> {
  return [
    ...(await db.accessToken.findMany({ where: { userId } })),
    ...(await db.linkCode.findMany({ where: { userId } })),
    ...(await db.user.findMany({ where: { id: userId } })),
  ];
}

/** What a thief with this secret can open of it, as the service does: every text, for every row. */
function opened(rows: Record<string, unknown>[], secret: string): string[] {
  const key = deriveKey(secret, "token sealing");
  // A link and the token that it created have one id.
  const contexts = [...new Set(rows.flatMap(({ id }) => [String(id), `access token ${id}`]))];
  const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === "string");
  return texts.flatMap((text) =>
    contexts.flatMap((context) => {
      const bytes = Buffer.from(text, "base64");
      if (bytes.length < 30) return [];
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(12, 28));
      try {
        return [Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()];
      } catch {
        return [];
      }
    }),
  );
}

it("a stolen database gives a program's token with the secret only, and not once it was collected", async () => {
  const [user, network] = [await makeUser(), newNetwork()];
  const { code, id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access: "read" });
  await approveRequest({ id: user.id, network }, id, at(1));
  const before = await stolen(user.id);
  const token = String((await collect(code, network, at(2)))?.token);
  const during = await stolen(user.id);
  await sweepTokens(at(62));
  const after = await stolen(user.id);

  const [secret] = authSecrets();
  for (const rows of [before, during, after]) {
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(opened(rows, "x".repeat(43))).toEqual([]);
    expect(JSON.stringify(rows)).toContain(createHash("sha256").update(token).digest("hex"));
  }
  expect(opened(before, secret).sort()).toEqual([user.token, token].sort());
  expect(opened(during, secret).sort()).toEqual([user.token, token].sort());
  // The account's token is kept to be shown to its user.
  expect(opened(after, secret)).toEqual([user.token]);
});

it("nothing of a token that is removed before it was collected is left", async () => {
  const [user, network] = [await makeUser(), newNetwork()];
  const { id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access: "read" });
  await approveRequest({ id: user.id, network }, id, at(1));
  const [secret] = authSecrets();
  expect(opened(await stolen(user.id), secret)).toHaveLength(2);
  await removeToken(user.id, { id });
  expect(opened(await stolen(user.id), secret)).toEqual([user.token]);
});

it("nothing of it is left after its user's account was deleted", async () => {
  const [password, network] = ["correct horse battery", newNetwork()];
  const user = await createUser({ username: newUsername(), password });
  const { id } = await askForCode({ network, program: PROGRAM, webPage: null }, at(0), { access: "read" });
  await approveRequest({ id: user.id, network }, id, at(1));
  expect(await db.linkCode.findUnique({ where: { id } })).toMatchObject({ sealed: expect.any(String) });
  await deleteAccount({ ...user, sessionId: "" }, { username: user.username, password }, network);
  expect(await db.linkCode.findUnique({ where: { id } })).toMatchObject({ userId: null, sealed: null });
});
