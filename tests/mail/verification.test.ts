import { afterAll, expect, test } from "vitest";
import { changePassword, setPassword } from "@/lib/accounts/ways-in/change-password";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import {
  emailOf,
  findAddressToVerify,
  removeAddress,
  sendAgain,
  sweepAddresses,
  verifyAddress,
} from "@/lib/accounts/ways-in/mail/addresses";
import { hashSecret } from "@/lib/accounts/ways-in/one-time-link";
import { db } from "@/lib/platform/db/client";
import { DAY_MS, later } from "@/lib/platform/time";
import { deleteAccount } from "@/lib/user-data/delete";
import { secretOf } from "@/tests/recovery/recover-by";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { signedIn } from "@/tests/support/user";
import { mailServerOfFile } from "./mail-server";
import { enter, lastTo, newAddress, newReader, newUser, PASSWORD } from "./people";

const server = await mailServerOfFile();
afterAll(() => db.mail.deleteMany().then(() => {}));

/** As the user whom the link is for; without one, as nobody in particular. */
async function verify(link: string, now?: Date): Promise<void> {
  const email = await db.emailAddress.findUnique({ where: { hash: hashSecret(secretOf(link)) } });
  await verifyAddress(email?.userId ?? "nobody", secretOf(link), { network: newNetwork(), now });
}
const linkTo = async (address: string, count = 1) => (await lastTo(server, address, count)).link;
const NONE = { address: null, pending: null, triedUntil: null, hasFailed: false };

test("an address is verified by the link in a message of text and HTML, once", async () => {
  const user = await newUser();
  const address = newAddress();
  await enter(user, ` ${address} `);
  expect(await emailOf(user.id)).toEqual({ ...NONE, pending: address });
  // Without being told to send it.
  const [mail] = await server.mailTo(address);
  const link = String(mail?.link);
  expect(link).toMatch(/^https:\/\/keys\.example\/email#[\w-]{43}$/);
  expect(mail?.raw).toMatch(/^From: Keys <keys@keys\.example>\r$/m);
  expect(mail?.subject).toBe("Verify your e-mail address");
  for (const form of [mail?.text, mail?.html]) for (const part of [user.username, link]) expect(form).toContain(part);
  expect(mail?.html).not.toMatch(/<script|<img|src=/);

  expect(JSON.stringify(await db.emailAddress.findMany())).not.toContain(secretOf(link));
  expect(await findAddressToVerify(secretOf(link), { network: newNetwork() })).toMatchObject({
    username: user.username,
    address,
  });
  expect((await emailOf(user.id))?.address).toBeNull();
  await verify(link);
  expect(await emailOf(user.id)).toMatchObject({ address, pending: null });
  expect(await codeOf(verify(link))).toBe("bad_link");
  const events = await db.auditEvent.findMany({ where: { subjectId: user.id }, orderBy: { id: "asc" } });
  expect(events.map(({ action }) => action).slice(-2)).toEqual(["email.add", "email.verify"]);
  expect(JSON.stringify(events.map(({ detail }) => detail))).not.toContain(address);
});

test("the link ends after 24 hours, with another one or another address, and for a disabled account", async () => {
  const user = await newUser();
  const [one, other] = [newAddress(), newAddress()];
  await enter(user, one);
  const first = await linkTo(one);
  expect(await codeOf(verify(first, later(new Date(), DAY_MS + 60_000)))).toBe("bad_link");
  await sendAgain(user.id, { network: newNetwork() });
  expect(await codeOf(verify(first))).toBe("bad_link");
  const second = await linkTo(one, 2);
  await enter(user, other);
  expect(await codeOf(verify(second))).toBe("bad_link");
  const third = await linkTo(other);
  await db.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
  expect(await codeOf(verify(third))).toBe("bad_link");
  await db.user.update({ where: { id: user.id }, data: { disabledAt: null } });
  await verify(third);
  expect((await emailOf(user.id))?.address).toBe(other);
});

test("a link that reached somebody else verifies nothing; one address may be that of several accounts", async () => {
  const { address, ...stranger } = await newReader(server);
  const user = await newUser();
  await enter(user, address);
  const link = await linkTo(address, 2);
  expect(await codeOf(verifyAddress(stranger.id, secretOf(link), { network: newNetwork() }))).toBe("other_account");
  expect(await emailOf(user.id)).toMatchObject({ address: null, pending: address });
  await verify(link);
  expect((await emailOf(user.id))?.address).toBe(address);
});

test("a mailbox gets five messages an hour, whichever accounts enter its address, and so does an account", async () => {
  const address = newAddress();
  const codes: string[] = [];
  for (let n = 0; n < 6; n++) codes.push(await codeOf(enter(await newUser(), n % 2 ? address.toUpperCase() : address)));
  const user = await newUser();
  for (let n = 0; n < 6; n++) codes.push(await codeOf(enter(user, newAddress())));
  const five = [...Array(5).fill("ok"), "rate_limited"];
  expect(codes).toEqual([...five, ...five]);
  expect(await codeOf(sendAgain(user.id, { network: newNetwork() }))).toBe("rate_limited");
});

test("an unverified address ends with a new password, and while the account is disabled", async () => {
  const user = await newUser(PASSWORD);
  for (const end of [
    () => setPassword(user.username, PASSWORD),
    async () => changePassword(await signedIn(user), { current: PASSWORD, next: PASSWORD }, { network: newNetwork() }),
    () => setDisabled(user.username, { disabled: true }),
  ]) {
    const address = newAddress();
    await enter(user, address);
    const link = await linkTo(address);
    await end();
    await setDisabled(user.username, { disabled: false });
    expect(await codeOf(verify(link))).toBe("bad_link");
    expect(await emailOf(user.id)).toEqual(NONE);
  }
});

test("a changed address stays in use until the new one is verified, and is told", async () => {
  const { address, ...user } = await newReader(server);
  const next = newAddress();
  await enter(user, next);
  expect(await emailOf(user.id)).toMatchObject({ address, pending: next });
  await removeAddress(user.id, { onlyPending: true });
  expect(await emailOf(user.id)).toMatchObject({ address, pending: null });
  await enter(user, next);
  await verify(await linkTo(next));
  expect((await lastTo(server, address, 2)).subject).toBe("Your e-mail address was changed");
  await removeAddress(user.id, { onlyPending: false });
  expect((await lastTo(server, next, 2)).subject).toBe("Your e-mail address was removed");
  expect(await emailOf(user.id)).toEqual(NONE);
});

test("what is no address, or more than one, is refused: nothing gets into the head of a message", async () => {
  const user = await newUser();
  for (const bad of [
    "",
    ...["nobody", "a@b", "a@b.example,c@d.example", "a@b.example ; c@d.example", "A <a@b.example>", '"a b"@b.example'],
    ...["a@b.example\r\nBcc: c@d.example", "a@b.example\nSubject: x", "a\u0000@b.example"],
    `${"a".repeat(250)}@b.example`,
  ])
    expect([bad, await codeOf(enter(user, bad))]).toEqual([bad, "invalid_parameter"]);
  expect(await db.emailAddress.count({ where: { userId: user.id } })).toBe(0);
});

test("an address that nobody verifies is forgotten after two days; a verified one stays", async () => {
  const { address, ...reader } = await newReader(server);
  const user = await newUser();
  for (const one of [user, reader]) await enter(one, newAddress());
  await sweepAddresses(later(new Date(), 2 * DAY_MS + 60_000));
  expect(await db.emailAddress.count({ where: { userId: user.id } })).toBe(0);
  expect(await emailOf(reader.id)).toMatchObject({ address, pending: null });
});

test("nothing of an address outlives the account", async () => {
  const { address, ...user } = await newReader(server);
  await deleteAccount(await signedIn(user), { username: user.username, password: "" }, { network: newNetwork() });
  expect(await db.emailAddress.count({ where: { address } })).toBe(0);
  expect(await db.mail.count({ where: { userId: user.id } })).toBe(0);
});
