import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import { rememberBrowser } from "@/lib/auth/known-browsers";
import { setDisabled } from "@/lib/auth/standing";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { removeAddress } from "@/lib/mail/addresses";
import { sendMail } from "@/lib/mail/send";
import { askForRecovery } from "@/lib/recovery/ask-by-mail";
import { createRecoveryLink, findRecoveryLink } from "@/lib/recovery/recovery-links";
import { recoverByLink } from "@/tests/recovery/recover-by";
import { codeOf, DAY_MS } from "@/tests/recovery/refused";
import { newNetwork } from "@/tests/support/network";
import { newUsername } from "@/tests/support/user";
import { type MailServer, startMailServer } from "./mail-server";
import { enter, newAddress, newReader, newUser, secretOf } from "./people";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example";
  process.env.MAIL_FROM = "keys@keys.example";
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
});

const NEW = "another horse battery";

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  return () => server.stop();
});
beforeEach(async () => {
  await db.mail.deleteMany();
  env.SMTP_URL = server.url;
});

const asked = () => db.mail.count({ where: { kind: "recovery" } });
const recover = (link: string) => recoverByLink(secretOf(link), NEW, false, newNetwork());

test("a link by e-mail sets a new password once, is in the history, and the change is told", async () => {
  const reader = await newReader(server);
  const network = newNetwork();
  await askForRecovery(` ${reader.username.toUpperCase()} `, network);
  const [, mail] = await server.mailTo(reader.address, 2);
  expect(mail?.subject).toBe("Set a new password");
  expect(mail?.link).toMatch(/^https:\/\/keys\.example\/recover\/link#[\w-]{43}$/);
  for (const form of [mail?.text, mail?.html])
    for (const part of [reader.username, network.id, String(mail?.link)]) expect(form).toContain(part);
  const stored = JSON.stringify([await db.recoveryLink.findMany(), await db.mail.findMany()]);
  expect(stored).not.toContain(secretOf(String(mail?.link)));

  await recover(String(mail?.link));
  expect(await authenticate(reader.username, NEW, newNetwork())).toMatchObject({ id: reader.id });
  expect(await codeOf(recover(String(mail?.link)))).toBe("bad_link");
  expect((await server.mailTo(reader.address, 3)).at(-1)?.subject).toBe("Your password was changed");
  const events = await db.auditEvent.findMany({ where: { subjectId: reader.id }, orderBy: { id: "asc" } });
  expect(events.slice(-2).map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
    ["recovery.email", { network: network.id }],
    ["recovery.use", expect.objectContaining({ through: "email" })],
  ]);
});

test("nobody else gets a message: no name, no verified address, a disabled account", async () => {
  const [without, disabled] = [await newUser(), await newReader(server)];
  const address = newAddress();
  await enter(without, address);
  await server.mailTo(address);
  await setDisabled(disabled.username, true);
  const before = server.received.length;
  for (const name of [newUsername(), without.username, disabled.username, "", "x".repeat(900), "a\r\nb"])
    await askForRecovery(name, newNetwork());
  await expect.poll(asked).toBe(0);
  expect(server.received).toHaveLength(before);
  expect(await db.recoveryLink.count({ where: { userId: { in: [without.id, disabled.id] } } })).toBe(0);
});

test("an account disabled after the link was sent cannot use it, nor one whose address was removed", async () => {
  const reader = await newReader(server);
  await askForRecovery(reader.username, newNetwork());
  const link = String((await server.mailTo(reader.address, 2)).at(-1)?.link);
  await setDisabled(reader.username, true);
  expect(await codeOf(recover(link))).toBe("bad_link");

  const other = await newReader(server);
  await askForRecovery(other.username, newNetwork());
  const last = String((await server.mailTo(other.address, 2)).at(-1)?.link);
  await removeAddress(other.id, false);
  expect(await codeOf(recover(last))).toBe("bad_link");
});

const cookieOf = async ({ id }: { id: string }) =>
  rememberBrowser(undefined, await db.user.findUniqueOrThrow({ where: { id } }));

test("a stranger who asks ends no link for 20 minutes, and the user's browser gets another at once", async () => {
  const reader = await newReader(server);
  await askForRecovery(reader.username, newNetwork());
  const link = String((await server.mailTo(reader.address, 2)).at(-1)?.link);
  for (let n = 0; n < 5; n++) await askForRecovery(reader.username, newNetwork());
  await expect.poll(asked).toBe(0);
  expect(await server.mailTo(reader.address, 2)).toHaveLength(2);
  expect(await findRecoveryLink(secretOf(link), newNetwork())).toMatchObject({ id: reader.id });
  await askForRecovery(reader.username, newNetwork(), await cookieOf(reader));
  expect((await server.mailTo(reader.address, 3)).at(-1)?.link).not.toBe(link);
});

test("asking ends the former link by e-mail, and never the operator's", async () => {
  const reader = await newReader(server);
  const operators = secretOf((await createRecoveryLink(reader.username)).link);
  const links: string[] = [];
  for (let n = 0; n < 2; n++) {
    await askForRecovery(reader.username, newNetwork());
    links.push(String((await server.mailTo(reader.address, n + 2)).at(-1)?.link));
    const createdAt = new Date(Date.now() - 21 * 60_000);
    await db.recoveryLink.updateMany({ where: { userId: reader.id, through: "email" }, data: { createdAt } });
  }
  expect(await codeOf(recover(String(links[0])))).toBe("bad_link");
  expect(await findRecoveryLink(operators, newNetwork())).toMatchObject({ id: reader.id });
  await recover(String(links[1]));
  expect(await codeOf(findRecoveryLink(operators, newNetwork()))).toBe("bad_link");
});

test("three an hour for a name and network, twenty for a network; the same whether the name exists", async () => {
  const count = async (nameOf: (n: number) => string, networkOf: (n: number) => ReturnType<typeof newNetwork>) => {
    const codes: Record<string, number> = {};
    for (let n = 0; n < 25; n++) {
      const code = await codeOf(askForRecovery(nameOf(n), networkOf(n)));
      codes[code] = (codes[code] ?? 0) + 1;
    }
    return codes;
  };
  const [reader, nobody] = [await newReader(server), newUsername()];
  // Strangers elsewhere use nothing up.
  for (const name of [reader.username, nobody]) {
    expect(await count(() => name, newNetwork)).toEqual({ ok: 25 });
    const here = newNetwork();
    expect(
      await count(
        () => name,
        () => here,
      ),
    ).toEqual({ ok: 3, rate_limited: 22 });
  }
  const one = newNetwork();
  expect(await count(newUsername, () => one)).toEqual({ ok: 20, rate_limited: 5 });
  const cookie = await cookieOf(reader);
  const codes = [];
  for (let n = 0; n < 4; n++) codes.push(await codeOf(askForRecovery(reader.username, one, cookie)));
  expect(codes).toEqual(["ok", "ok", "ok", "rate_limited"]);
});

test("what was asked for while the server was away becomes one message", async () => {
  const reader = await newReader(server);
  env.SMTP_URL = "smtp://127.0.0.1:1";
  for (let n = 0; n < 3; n++) await askForRecovery(reader.username, newNetwork());
  await expect.poll(() => db.mail.count({ where: { attempts: { gt: 0 } } })).toBeGreaterThan(0);
  env.SMTP_URL = server.url;
  await sendMail(new Date(Date.now() + 10 * 60_000));
  expect(await server.mailTo(reader.address, 2)).toHaveLength(2);
  expect(await asked()).toBe(0);
});

test("a link that was asked for a day ago is no longer sent", async () => {
  const reader = await newReader(server);
  env.SMTP_URL = "smtp://127.0.0.1:1";
  await askForRecovery(reader.username, newNetwork(), undefined, new Date(Date.now() - DAY_MS));
  await expect.poll(asked).toBe(0);
});

test("without e-mail, asking is refused and nothing is stored", async () => {
  env.SMTP_URL = undefined;
  expect(await codeOf(askForRecovery(newUsername(), newNetwork()))).toBe("not_found");
  expect(await asked()).toBe(0);
});
