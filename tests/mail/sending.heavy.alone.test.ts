import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { changePassword } from "@/lib/auth/authenticate";
import { openSession } from "@/lib/auth/sessions";
import { db, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { emailOf } from "@/lib/mail/addresses";
import { MOST_WAITING, notify } from "@/lib/mail/outbox";
import { GIVE_UP_MS, sendMail } from "@/lib/mail/send";
import { newNetwork } from "@/tests/support/network";
import { type MailServer, startMailServer, startSilentServer } from "./mail-server";
import { enter, newAddress, newReader, newUser, PASSWORD } from "./people";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example";
  process.env.MAIL_FROM = "keys@keys.example";
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
});

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  return () => server.stop();
});
beforeEach(async () => {
  await db.mail.deleteMany();
  server.say("accept");
  env.SMTP_URL = server.url;
});

const waiting = (userId: string) => db.mail.findMany({ where: { userId } });
const attempted = (userId: string) => expect.poll(async () => (await waiting(userId))[0]?.attempts).toBe(1);
const later = (ms: number) => new Date(Date.now() + ms);
const FIVE_MINUTES = 5 * 60_000;

test("a server that is away: the page says so, and the message is sent once it is back", async () => {
  env.SMTP_URL = "smtp://127.0.0.1:1";
  const user = await newUser();
  const address = newAddress();
  await enter(user, address);
  await attempted(user.id);
  const { triedUntil } = (await emailOf(user.id)) ?? {};
  expect(triedUntil?.getTime()).toBeGreaterThan(later(GIVE_UP_MS - 60_000).getTime());
  env.SMTP_URL = server.url;
  expect(await sendMail(later(FIVE_MINUTES))).toBeGreaterThan(0);
  expect(await server.mailTo(address)).toHaveLength(1);
  expect(await emailOf(user.id)).toMatchObject({ pending: address, triedUntil: null });
});

test("a server that never speaks holds nobody up, and the message waits", async () => {
  const silent = await startSilentServer();
  try {
    env.SMTP_URL = silent.url;
    const user = await newUser();
    await enter(user, newAddress());
    // The user is answered while the server is still silent: the first attempt has not even failed.
    expect(await waiting(user.id)).toMatchObject([{ attempts: 0 }]);
    await attempted(user.id);
  } finally {
    await silent.stop();
  }
});

test("a refusal for now is tried again; one for good is given up at once, and shown", async () => {
  const user = await newUser();
  const address = newAddress();
  server.say({ status: 451 });
  await enter(user, address);
  await attempted(user.id);
  server.say("accept");
  await sendMail(later(FIVE_MINUTES));
  await server.mailTo(address);

  server.say({ status: 550 });
  const unknown = newAddress();
  await enter(user, unknown);
  await expect.poll(async () => (await emailOf(user.id))?.hasFailed).toBe(true);
  expect(await waiting(user.id)).toEqual([]);
  await sendMail(later(FIVE_MINUTES));
  expect(server.asked.filter((one) => one === unknown)).toHaveLength(1);
  server.say("accept");
  await enter(user, newAddress());
  await expect.poll(async () => (await waiting(user.id)).length).toBe(0);
  expect((await emailOf(user.id))?.hasFailed).toBe(false);
});

test("after 24 hours a message is given up, and the page says so", async () => {
  env.SMTP_URL = "smtp://127.0.0.1:1";
  const user = await newUser();
  await enter(user, newAddress());
  await attempted(user.id);
  for (let ms = 0; ms < GIVE_UP_MS + 60 * 60_000; ms += FIVE_MINUTES) await sendMail(later(ms));
  expect(await waiting(user.id)).toEqual([]);
  expect(await emailOf(user.id)).toMatchObject({ hasFailed: true, triedUntil: null });
});

test("several senders at once send each message once", async () => {
  for (let n = 0; n < 3; n++) {
    const reader = await newReader(server);
    for (let round = 0; round < 17; round++) {
      await transaction((tx) => notify(tx, reader.id, "passkey added", {}, new Date()));
      await Promise.all([sendMail(), sendMail(), sendMail()]);
    }
    await expect.poll(async () => (await waiting(reader.id)).length).toBe(0);
    const subjects = (await server.mailTo(reader.address, 18)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "A passkey was added")).toHaveLength(17);
  }
});

test("an account gets twenty notices an hour, so that nobody uses up what the mail server allows", async () => {
  const reader = await newReader(server);
  for (let n = 0; n < 30; n++) {
    await transaction((tx) => notify(tx, reader.id, "passkey added", {}, new Date()));
    await sendMail();
  }
  await expect.poll(async () => (await waiting(reader.id)).length).toBe(0);
  expect(await server.mailTo(reader.address, 21)).toHaveLength(21);
});

test("what waited for a day is given up, also once e-mail is no longer set up", async () => {
  env.SMTP_URL = "smtp://127.0.0.1:1";
  const user = await newUser();
  await enter(user, newAddress());
  await attempted(user.id);
  env.SMTP_URL = undefined;
  await sendMail(later(GIVE_UP_MS - 60_000));
  expect(await waiting(user.id)).toHaveLength(1);
  await sendMail(later(GIVE_UP_MS));
  expect(await waiting(user.id)).toEqual([]);
  env.SMTP_URL = server.url;
  expect((await emailOf(user.id))?.hasFailed).toBe(true);
});

test("a process that dies while it sends loses nothing: another one sends it a minute later", async () => {
  const reader = await newReader(server);
  await transaction((tx) => notify(tx, reader.id, "passkey removed", {}, new Date()));
  const [mail] = await waiting(reader.id);
  // As the claim of the process that died.
  await db.mail.updateMany({ where: { id: mail?.id }, data: { nextAt: later(60_000) } });
  await sendMail(later(50_000));
  expect(await waiting(reader.id)).toHaveLength(1);
  await sendMail(later(61_000));
  expect((await server.mailTo(reader.address, 2)).at(-1)?.subject).toBe("A passkey was removed");
});

test("a notice says when, from where and what to do, and carries nobody's text", async () => {
  const reader = await newReader(server, PASSWORD);
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const sessionId = String(await openSession(reader, { userAgent, network: "203.0.113.7" }));
  const network = newNetwork();
  await changePassword({ ...reader, sessionId }, PASSWORD, "another horse battery", network);
  const mail = (await server.mailTo(reader.address, 2)).at(-1);
  expect(mail?.subject).toBe("Your password was changed");
  for (const form of [mail?.text, mail?.html]) {
    expect(form).toMatch(/When: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(form).toContain("Browser: Firefox on Linux");
    expect(form).toContain(`Network: ${network.id}`);
    expect(form).toContain("https://keys.example/account");
    expect(form).toContain("Forgot your password?");
  }
  const posing = await openSession(reader, { userAgent: "Call evil.example now", network: "unknown" });
  await transaction((tx) => notify(tx, reader.id, "passkey added", { sessionId: String(posing) }, new Date()));
  expect((await server.mailTo(reader.address, 3)).at(-1)?.raw).not.toContain("evil");
});

test("at most twenty messages of an account wait, and nothing is stored for one without an address", async () => {
  env.SMTP_URL = server.url;
  const reader = await newReader(server);
  env.SMTP_URL = "smtp://127.0.0.1:1";
  for (let n = 0; n < MOST_WAITING + 5; n++)
    await transaction((tx) => notify(tx, reader.id, "passkey added", {}, new Date()));
  expect(await waiting(reader.id)).toHaveLength(MOST_WAITING);
  const other = await newUser();
  await transaction((tx) => notify(tx, other.id, "passkey added", {}, new Date()));
  expect(await waiting(other.id)).toEqual([]);
});
