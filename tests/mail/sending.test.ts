import { beforeEach, describe, expect, test } from "vitest";
import type { NoticeContext } from "@/lib/accounts/context";
import { openSession } from "@/lib/accounts/session/sessions";
import { changePassword } from "@/lib/accounts/ways-in/change-password";
import { connectIdentity } from "@/lib/accounts/ways-in/connect";
import { emailOf, verifyAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { MAX_WAITING, notify } from "@/lib/accounts/ways-in/mail/outbox";
import { sendMail } from "@/lib/accounts/ways-in/mail/send";
import { PATIENCE } from "@/lib/accounts/ways-in/mail/transport";
import { passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { removePasskey } from "@/lib/accounts/ways-in/passkeys/remove";
import { requestRecovery } from "@/lib/accounts/ways-in/recovery/links";
import { approveRequest } from "@/lib/link/approve";
import { createCode } from "@/lib/link/create";
import { GIVE_UP_MS } from "@/lib/platform/bounds";
import { db, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { later } from "@/lib/platform/time";
import { recoverByLink, secretOf } from "@/tests/recovery/recover-by";
import { addedPasskey } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/request";
import { mailServerOfFile, startSilentServer, waitOnly } from "./mail-server";
import { enter, lastTo, mailTo, newAddress, newReader, newUser, PASSWORD } from "./people";

const AWAY = "smtp://127.0.0.1:1";
const server = await mailServerOfFile();
beforeEach(async () => {
  await db.mail.deleteMany();
  server.say("accept");
  env.SMTP_URL = server.url;
});

const waiting = (userId: string) => db.mail.findMany({ where: { userId } });
const hasTried = (userId: string) => expect.poll(async () => (await waiting(userId))[0]?.attempts).toBe(1);
const soon = (ms: number) => later(new Date(), ms);
const MINUTE_MS = 60_000;

/** What the reader was told after the message that verified the address. */
const toldOf = async ({ address }: { address: string }, count: number) =>
  (await mailTo(server, address, count + 1)).slice(1);
const tell = (userId: string, from: NoticeContext = {}) =>
  transaction((tx) => notify(tx, userId, { kind: "passkey added", ...from, now: new Date() }));

async function tried() {
  const [user, address] = [await newUser(), newAddress()];
  await enter(user, address);
  await sendMail();
  await hasTried(user.id);
  return { user, address };
}

test("a server that is away: the page says so, and the message is sent once it is back", async () => {
  env.SMTP_URL = AWAY;
  const { user, address } = await tried();
  const { triedUntil } = (await emailOf(user.id)) ?? {};
  expect(triedUntil?.getTime()).toBeGreaterThan(soon(GIVE_UP_MS - MINUTE_MS).getTime());
  env.SMTP_URL = server.url;
  expect(await sendMail(soon(5 * MINUTE_MS))).toBeGreaterThan(0);
  expect(await server.mailTo(address)).toHaveLength(1);
  expect(await emailOf(user.id)).toMatchObject({ pending: address, triedUntil: null });
});

test("a server is waited for as long as RFC 5321, section 4.5.3.2, says", () => {
  expect(PATIENCE.greeting).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(PATIENCE.responding).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  expect(PATIENCE.sending).toBeGreaterThan(PATIENCE.greeting + PATIENCE.responding);
});

test("a server that never speaks holds nobody up, and the message waits", async () => {
  await waitOnly(1_000);
  const silent = await startSilentServer();
  try {
    env.SMTP_URL = silent.url;
    const user = await newUser();
    await enter(user, newAddress());
    // The user is answered while the server is still silent: the first attempt has not even failed.
    expect(await waiting(user.id)).toMatchObject([{ attempts: 0 }]);
    await hasTried(user.id);
  } finally {
    await silent.stop();
  }
});

test("of a message that the server took in silence, the link stays good, and it is sent once more", async () => {
  await waitOnly(3_000);
  server.say("silence");
  const { user, address } = await tried();
  await sendMail(soon(5 * MINUTE_MS));
  await sendMail(soon(60 * MINUTE_MS));
  expect(await waiting(user.id)).toEqual([]);
  const links = (await server.mailTo(address, 2)).map(({ link }) => link);
  expect(links).toEqual([links[0], links[0]]);
  expect(await emailOf(user.id)).toMatchObject({ pending: address, hasFailed: false, triedUntil: null });
  await verifyAddress(user.id, secretOf(String(links[0])), { network: newNetwork(), now: soon(60 * MINUTE_MS) });
});

test("a link that was used is not sent again, however the server took it", async () => {
  await waitOnly(3_000);
  server.say("silence");
  const { user, address } = await tried();
  const [{ link } = { link: "" }] = await server.mailTo(address);
  await verifyAddress(user.id, secretOf(link), { network: newNetwork() });
  const reader = { ...user, address };
  await requestRecovery(user.username, { network: newNetwork() });
  await sendMail();
  const last = async () => (await server.mailTo(reader.address, 2)).at(-1)?.link ?? "";
  await recoverByLink(secretOf(await last()), { password: "another horse battery", network: newNetwork() });
  server.say("accept");
  await sendMail(soon(5 * MINUTE_MS));
  expect((await server.mailTo(address, 3)).slice(2).map(({ subject }) => subject)).toEqual([
    "Your password was changed",
  ]);
  expect(await db.mail.count({ where: { kind: "recovery" } })).toBe(0);
});

test("a slow server gets other messages meanwhile", async () => {
  await waitOnly(3_000);
  server.say("silence");
  const [slow, quick] = [newAddress(), newAddress()];
  await enter(await newUser(), slow);
  void sendMail();
  await server.mailTo(slow);
  server.say("accept");
  await enter(await newUser(), quick);
  await mailTo(server, quick);
});

test("a refusal for now is tried again; one for good is given up at once, and shown", async () => {
  server.say({ status: 451 });
  const { user, address } = await tried();
  server.say("accept");
  await sendMail(soon(5 * MINUTE_MS));
  await server.mailTo(address);

  server.say({ status: 550 });
  const unknown = newAddress();
  await enter(user, unknown);
  await sendMail();
  await expect.poll(async () => (await emailOf(user.id))?.hasFailed).toBe(true);
  expect(await waiting(user.id)).toEqual([]);
  await sendMail(soon(5 * MINUTE_MS));
  expect(server.asked.filter((one) => one === unknown)).toHaveLength(1);
  server.say("accept");
  const known = newAddress();
  await enter(user, known);
  await mailTo(server, known);
  await expect.poll(async () => (await emailOf(user.id))?.hasFailed).toBe(false);
});

test("after 24 hours a message is given up, also without e-mail by then, and the page says so", async () => {
  env.SMTP_URL = AWAY;
  const { user } = await tried();
  for (let ms = 0; ms < GIVE_UP_MS + 60 * MINUTE_MS; ms += 120 * MINUTE_MS) await sendMail(soon(ms));
  expect(await waiting(user.id)).toEqual([]);
  expect(await emailOf(user.id)).toMatchObject({ hasFailed: true, triedUntil: null });

  const { user: third } = await tried();
  env.SMTP_URL = undefined;
  await sendMail(soon(GIVE_UP_MS - MINUTE_MS));
  expect(await waiting(third.id)).toHaveLength(1);
  await sendMail(soon(GIVE_UP_MS));
  expect(await waiting(third.id)).toEqual([]);
  env.SMTP_URL = server.url;
  expect((await emailOf(third.id))?.hasFailed).toBe(true);
});

test("a process that dies while it sends loses nothing: another one sends it a minute later", async () => {
  const reader = await newReader(server);
  await transaction(async (tx) => {
    await notify(tx, reader.id, { kind: "passkey removed", now: new Date() });
    // As the claim of the process that died.
    await tx.mail.updateMany({ where: { userId: reader.id }, data: { nextAt: soon(MINUTE_MS) } });
  });
  await sendMail(soon(50_000));
  expect(await waiting(reader.id)).toHaveLength(1);
  await sendMail(soon(61_000));
  expect((await lastTo(server, reader.address, 2)).subject).toBe("A passkey was removed");
});

describe("a notice", () => {
  test("tells of a program on another network when it is linked, and of none on the user's own", async () => {
    const reader = await newReader(server);
    const [here, elsewhere] = [newNetwork(), newNetwork()];
    for (const network of [here, elsewhere]) {
      const { id } = await createCode({ network, program: "Call evil.example now", webPage: null });
      await approveRequest({ id: reader.id, network: here }, id);
    }
    const told = await toldOf(reader, 1);
    expect(told.map(({ subject }) => subject)).toEqual(["A program on another network was linked"]);
    expect(told[0]?.text).toContain(elsewhere.id);
    expect(told[0]?.raw).not.toContain("evil");
  });

  test("tells of a passkey when it is added and removed, and of a provider when it is connected, once", async () => {
    const reader = await newReader(server, PASSWORD);
    await addedPasskey(reader);
    await toldOf(reader, 1);
    const [passkey] = await passkeysOf(reader.id);
    await removePasskey(reader.id, String(passkey?.id));
    await toldOf(reader, 2);
    const identity = { provider: "github", accountId: newId() };
    const from = { network: newNetwork() };
    for (let times = 0; times < 2; times++) await connectIdentity(reader.id, identity, from);
    const told = await toldOf(reader, 3);
    const subjects = ["A passkey was added", "A passkey was removed", "Another way to sign in was connected"];
    expect(told.map(({ subject }) => subject)).toEqual(subjects);
    expect(told[2]?.text).toContain(from.network.id);
    expect(told[2]?.text).not.toContain(identity.accountId);
  });

  test("says when, from where and what to do, and carries nobody's text", async () => {
    const reader = await newReader(server, PASSWORD);
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const sessionId = String(await openSession(reader, { userAgent, network: "203.0.113.7" }));
    const network = newNetwork();
    await changePassword({ ...reader, sessionId }, { current: PASSWORD, next: "another horse battery" }, { network });
    const { subject, text, html } = await lastTo(server, reader.address, 2);
    expect(subject).toBe("Your password was changed");
    for (const form of [text, html]) {
      expect(form).toMatch(/When: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      for (const words of ["Browser: Firefox on Linux", `Network: ${network.id}`, "https://keys.example/account"])
        expect(form).toContain(words);
      expect(form).toContain("Forgot your password?");
    }
    const posing = await openSession(reader, { userAgent: "Call evil.example now", network: "unknown" });
    await tell(reader.id, { sessionId: String(posing) });
    expect((await lastTo(server, reader.address, 3)).raw).not.toContain("evil");
  });

  test("is one of twenty an hour for an account: nobody uses up what the mail server allows", async () => {
    const reader = await newReader(server);
    for (let n = 0; n < 23; n++) {
      await tell(reader.id);
      await sendMail();
    }
    await expect.poll(() => waiting(reader.id)).toEqual([]);
    expect(await toldOf(reader, 20)).toHaveLength(20);
  });

  test("is one of twenty that wait, and not stored for an account without an address", async () => {
    const reader = await newReader(server);
    env.SMTP_URL = AWAY;
    for (let n = 0; n < MAX_WAITING + 5; n++) await tell(reader.id);
    expect(await waiting(reader.id)).toHaveLength(MAX_WAITING);
    const other = await newUser();
    await tell(other.id);
    expect(await waiting(other.id)).toEqual([]);
  });
});
