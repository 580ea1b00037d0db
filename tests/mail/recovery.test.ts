import { beforeEach, expect, onTestFinished, test } from "vitest";
import { rememberBrowser } from "@/lib/accounts/session/remembered-browser";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { removeAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { sendMail } from "@/lib/accounts/ways-in/mail/send";
import { createRecoveryLink, findRecoveryLink, requestRecovery } from "@/lib/accounts/ways-in/recovery/links";
import { authenticate } from "@/lib/accounts/ways-in/sign-in";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import type { Network } from "@/lib/platform/network/network";
import { perProcess } from "@/lib/platform/process";
import { DAY_MS, later } from "@/lib/platform/time";
import { recoverByLink, secretOf } from "@/tests/recovery/recover-by";
import { newNetwork } from "@/tests/support/request";
import { codeOf, statementsOf } from "@/tests/support/statements";
import { newUsername } from "@/tests/support/user";
import { mailServerOfFile } from "./mail-server";
import { enter, lastTo, mailTo, newAddress, newReader, newUser } from "./people";

const NEW = "another horse battery";

const server = await mailServerOfFile();
beforeEach(async () => {
  await db.mail.deleteMany();
  env.SMTP_URL = server.url;
});

const asked = () => db.mail.count({ where: { kind: "recovery" } });
const recover = (link: string) => recoverByLink(secretOf(link), { password: NEW, network: newNetwork() });
const ask = (username: string, cookie?: string, now?: Date) =>
  requestRecovery(username, { network: newNetwork(), cookie, now });
async function newAsker() {
  const reader = await newReader(server);
  await ask(reader.username);
  return { ...reader, link: (await lastTo(server, reader.address, 2)).link };
}

test("a link by e-mail sets a new password once, is in the history, and the change is told", async () => {
  const reader = await newReader(server);
  const network = newNetwork();
  await requestRecovery(` ${reader.username.toUpperCase()} `, { network });
  const { subject, link, text, html } = await lastTo(server, reader.address, 2);
  expect(subject).toBe("Set a new password");
  expect(link).toMatch(/^https:\/\/keys\.example\/recover\/link#[\w-]{43}$/);
  for (const form of [text, html]) for (const part of [reader.username, network.id, link]) expect(form).toContain(part);
  expect(JSON.stringify([await db.recoveryLink.findMany(), await db.mail.findMany()])).not.toContain(secretOf(link));

  await recover(link);
  expect(await authenticate(reader.username, NEW, { network: newNetwork() })).toMatchObject({ id: reader.id });
  expect(await codeOf(recover(link))).toBe("bad_link");
  expect((await lastTo(server, reader.address, 3)).subject).toBe("Your password was changed");
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
  await mailTo(server, address);
  await setDisabled(disabled.username, { disabled: true });
  const before = server.received.length;
  for (const name of [newUsername(), without.username, disabled.username, "", "x".repeat(900), "a\r\nb"])
    await ask(name);
  await sendMail();
  await expect.poll(asked).toBe(0);
  expect(server.received).toHaveLength(before);
  expect(await db.recoveryLink.count({ where: { userId: { in: [without.id, disabled.id] } } })).toBe(0);
});

test("asking takes the same statements for a user, without an address or disabled, and for nobody", async () => {
  const [reader, disabled, without] = [await newReader(server), await newReader(server), await newUser()];
  await setDisabled(disabled.username, { disabled: true });
  const sending = perProcess("mail", () => ({ isWaiting: false }));
  await expect.poll(() => sending.isWaiting).toBe(false);
  // As if it waited already: nothing is sent meanwhile.
  sending.isWaiting = true;
  onTestFinished(() => void Object.assign(sending, { isWaiting: false }));
  const sent: string[][] = [];
  for (const name of [reader.username, disabled.username, without.username, newUsername()])
    sent.push((await statementsOf(() => ask(name))).filter((text) => !/[`"]Mail[`"](?! \()/.test(text)));
  for (const one of sent) expect(one).toEqual(sent[0]);
});

test("an account disabled after the link was sent cannot use it, nor one whose address was removed", async () => {
  const [disabled, other] = [await newAsker(), await newAsker()];
  await setDisabled(disabled.username, { disabled: true });
  await removeAddress(other.id, { onlyPending: false });
  for (const { link } of [disabled, other]) expect(await codeOf(recover(link))).toBe("bad_link");
});

const cookieOf = async ({ id }: { id: string }) =>
  rememberBrowser(undefined, await db.user.findUniqueOrThrow({ where: { id } }));

test("a stranger who asks ends no link for 20 minutes, and the user's browser gets another at once", async () => {
  const { link, ...reader } = await newAsker();
  for (let n = 0; n < 5; n++) await ask(reader.username);
  await sendMail();
  await expect.poll(asked).toBe(0);
  expect(await server.mailTo(reader.address, 2)).toHaveLength(2);
  expect(await findRecoveryLink(secretOf(link), { network: newNetwork() })).toMatchObject({ id: reader.id });
  await ask(reader.username, await cookieOf(reader));
  expect((await lastTo(server, reader.address, 3)).link).not.toBe(link);
});

test("asking ends the former link by e-mail, and never the operator's", async () => {
  const { link: former, ...reader } = await newAsker();
  const operators = secretOf((await createRecoveryLink(reader.username)).link);
  const createdAt = later(new Date(), -21 * 60_000);
  await db.recoveryLink.updateMany({ where: { userId: reader.id, through: "email" }, data: { createdAt } });
  await ask(reader.username);
  const { link } = await lastTo(server, reader.address, 3);
  expect(await codeOf(recover(former))).toBe("bad_link");
  expect(await findRecoveryLink(operators, { network: newNetwork() })).toMatchObject({ id: reader.id });
  await recover(link);
  expect(await codeOf(findRecoveryLink(operators, { network: newNetwork() }))).toBe("bad_link");
});

test("three an hour for a name and network, twenty for a network; the same whether the name exists", async () => {
  const codes = async (count: number, nameOf: () => string, networkOf: () => Network) => {
    const found: string[] = [];
    for (let n = 0; n < count; n++) found.push(await codeOf(requestRecovery(nameOf(), { network: networkOf() })));
    return found;
  };
  const [reader, nobody] = [await newReader(server), newUsername()];
  for (const name of [reader.username, nobody]) {
    const network = newNetwork();
    const [same, here] = [() => name, () => network];
    // Strangers elsewhere use nothing up.
    expect(await codes(5, same, newNetwork)).toEqual(Array(5).fill("ok"));
    const three = [...Array(3).fill("ok"), ...Array(2).fill("rate_limited")];
    expect(await codes(5, same, here)).toEqual(three);
  }
  const one = newNetwork();
  expect(await codes(22, newUsername, () => one)).toEqual([...Array(20).fill("ok"), "rate_limited", "rate_limited"]);
  const cookie = await cookieOf(reader);
  for (const code of ["ok", "ok", "ok", "rate_limited"])
    expect(await codeOf(requestRecovery(reader.username, { network: one, cookie }))).toBe(code);
});

test("what was asked for while the server was away becomes one message, unless it was a day ago", async () => {
  const reader = await newReader(server);
  env.SMTP_URL = "smtp://127.0.0.1:1";
  for (let n = 0; n < 3; n++) await ask(reader.username);
  await sendMail();
  await expect.poll(() => db.mail.count({ where: { attempts: { gt: 0 } } })).toBeGreaterThan(0);
  env.SMTP_URL = server.url;
  await sendMail(later(new Date(), 10 * 60_000));
  expect(await server.mailTo(reader.address, 2)).toHaveLength(2);
  await expect.poll(asked).toBe(0);

  env.SMTP_URL = "smtp://127.0.0.1:1";
  await ask(reader.username, undefined, later(new Date(), -DAY_MS));
  await sendMail();
  await expect.poll(asked).toBe(0);
});

test("without e-mail, asking is refused and nothing is stored", async () => {
  env.SMTP_URL = undefined;
  expect(await codeOf(ask(newUsername()))).toBe("not_found");
  expect(await asked()).toBe(0);
});
