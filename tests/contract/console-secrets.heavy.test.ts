import { randomBytes } from "node:crypto";
import { expect, inject, test } from "vitest";
import { createToken } from "@/lib/access-tokens/create";
import { revealToken } from "@/lib/auth/rotate-token";
import { createUser } from "@/lib/auth/users";
import { db } from "@/lib/db/client";
import { isConsole, PAGES } from "@/lib/http/pages";
import { createKey } from "@/lib/keys/create";
import { askForCode } from "@/lib/link/ask";
import { type ExportFormat, exportedEvents } from "@/lib/operator/audit/export";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";
import { signInByPassword } from "@/tests/support/sign-in";
import { newUsername } from "@/tests/support/user";

const PASSWORD = `password ${randomBytes(12).toString("hex")}`;

/** A user with a secret of every kind, each different from everything else that is stored. */
async function secretive() {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD });
  const user = { id, username, role: "user" };
  const data = `marked data ${randomBytes(12).toString("hex")}`;
  const key = await createKey(user, { data, price: "1", name: "Marked" });
  const address = `marked-${randomBytes(8).toString("hex")}@example.org`;
  const mail = { userId: id, address, verifiedAt: new Date(), hash: randomBytes(32).toString("hex") };
  await db.emailAddress.create({ data: mail });
  const { code, secret } = await askForCode({ network: newNetwork(), program: "curl/8.5.0", webPage: null });
  const { link } = await createRecoveryLink(username);
  const token = await createToken(id, "Marked", { access: "read", days: 30 });
  const row = await db.user.findUniqueOrThrow({ where: { id } });
  const session = await signInByPassword(origin, username, PASSWORD);
  const [{ id: sessionId = "" } = {}] = await db.session.findMany({ where: { userId: id }, select: { id: true } });
  const codes = await createRecoveryCodes({ id, username, sessionId }, PASSWORD, newNetwork());
  const hashes = await db.recoveryLink.findMany({ where: { userId: id }, select: { hash: true } });
  const secrets: Record<string, string> = {
    password: PASSWORD,
    "hash of the password": row.passwordHash ?? "",
    "hash of the token": row.tokenHash,
    "sealed token": row.tokenSealed,
    token: await revealToken(id),
    "a program's token": token.token,
    "data of a key": data,
    "e-mail address": address,
    "hash of an e-mail link": mail.hash,
    "code in an element": `>${code}<`,
    "poll secret": secret,
    "recovery link": link.split("#").at(-1) ?? "",
    "hash of a recovery link": hashes[0]?.hash ?? "",
    session: /session-token=([^;]+)/.exec(session)?.[1] ?? "",
    "id of a session": sessionId,
    ...Object.fromEntries(codes.map((one, n) => [`recovery code ${n}`, one])),
  };
  for (const [name, value] of Object.entries(secrets)) expect(value.length, name).toBeGreaterThan(5);
  return { username, keyId: key.id, secrets };
}

function expectNone(text: string, secrets: Record<string, string>, where: string): void {
  for (const [name, value] of Object.entries(secrets)) expect(text.includes(value), `${name} in ${where}`).toBe(false);
}

test("no page of the console, and no export, has a secret of anybody's or of the service's", async () => {
  const { username, keyId, secrets } = await secretive();
  const admin = newUsername();
  const { id: adminId } = await createUser({ username: admin, password: PASSWORD });
  await db.user.update({ where: { id: adminId }, data: { role: "admin" } });
  const cookie = await signInByPassword(origin, admin, PASSWORD);
  const { cronSecret, storage } = inject("service");
  const ofService = { "secret of sweeps": cronSecret, "secret of tokens": storage.AUTH_SECRET ?? cronSecret };

  const queries = [
    "",
    `?q=${username}`,
    `?user=${username}`,
    `?key=${keyId}`,
    `?which=${username}`,
    `?who=${username}`,
  ];
  const pages = [...PAGES].filter(isConsole);
  expect(pages.length).toBeGreaterThan(1);
  const others = [`/admin/users/${username}`, "/admin/audit/export?format=csv", "/admin/audit/export?format=json"];
  for (const path of [...pages.flatMap((page) => queries.map((query) => page + query)), ...others]) {
    const { status, text } = await sendTo(origin, path, { headers: { Cookie: cookie, Accept: "text/html" } });
    expect([200, 404], path).toContain(status);
    expectNone(text, { ...secrets, ...ofService }, path);
  }
  for (const format of ["json", "csv"] as ExportFormat[]) {
    let text = "";
    for await (const chunk of exportedEvents({}, format)) text += chunk;
    expectNone(text, secrets, format);
  }
});
