import { createDecipheriv, createHash } from "node:crypto";
import { expect, it } from "vitest";
import { approveRequest } from "@/lib/link/approve";
import { sweepSealed } from "@/lib/link/sweep";
import { authSecrets, deriveKey } from "@/lib/platform/crypto/secrets";
import { db } from "@/lib/platform/db/client";
import { deleteAccount } from "@/lib/user-data/delete";
import { removeToken } from "@/lib/user-data/revoke-token";
import { newNetwork } from "@/tests/support/request";
import { makeUser, signedIn } from "@/tests/support/user";
import { at, collect, enter, newRequest, requested } from "./flow";

const TABLES = ["User", "LinkCode", "LinkMask", "LinkQuestion", "LinkEntry", "UsedLetters", "AuditEvent", "RateLimit"];

async function dump(): Promise<string> {
  const rows = await Promise.all(TABLES.map((table) => db.$queryRawUnsafe(`SELECT * FROM "${table}"`)));
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

it("at no step does the database hold the code, its secret or the token", async () => {
  const { code, id, secret: pollSecret, network, user, actor } = await requested();
  const encoded = Buffer.from(user.token).toString("base64").slice(0, 20);
  const secrets = [code, code.toLowerCase(), pollSecret, user.token, user.token.slice(3), encoded];
  const steps = [
    () => collect(code, newNetwork(), at(1)),
    () => enter(user, code, at(2)),
    () => approveRequest(actor, id, { now: at(3) }),
    () => collect(code, network, at(4), { secret: pollSecret }),
    async () => {},
  ];
  for (const step of steps) {
    const text = await dump();
    expect(text).toContain(id);
    for (const secret of secrets) expect(text).not.toContain(secret);
    await step();
  }
  expect(await dump()).toContain("link.collect");
});

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

/** A code whose program is approved for a token of its own. */
async function approvedForOwn(user: { id: string }) {
  const network = newNetwork();
  const { code, id } = await newRequest(network, at(0), { access: "read" });
  await approveRequest({ id: user.id, network }, id, { now: at(1) });
  return { code, id, network };
}

it("a stolen database gives a program's token with the secret only, until a minute after it is collected", async () => {
  const user = await makeUser();
  const { code, network } = await approvedForOwn(user);
  const before = await stolen(user.id);
  const token = String((await collect(code, network, at(2)))?.token);
  await sweepSealed(at(61));
  const during = await stolen(user.id);
  await sweepSealed(at(62));
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
  expect(await collect(code, network, at(63))).toBeNull();
});

it("nothing is left of an uncollected token that is removed, or whose account is deleted", async () => {
  const user = await makeUser();
  const [secret] = authSecrets();
  const [removed, kept] = [await approvedForOwn(user), await approvedForOwn(user)];
  expect(opened(await stolen(user.id), secret)).toHaveLength(3);
  await removeToken(user.id, { id: removed.id });
  expect(opened(await stolen(user.id), secret)).toHaveLength(2);
  await deleteAccount(await signedIn(user), { username: user.username, password: "" }, { network: newNetwork() });
  expect(await db.linkCode.findUnique({ where: { id: kept.id } })).toMatchObject({ userId: null, sealed: null });
});
