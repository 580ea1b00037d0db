import { beforeAll, expect, test, vi } from "vitest";
import { connectIdentity } from "@/lib/auth/identities";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { askForCode } from "@/lib/link/ask";
import { approveRequest } from "@/lib/link/decide";
import { findAddressToVerify } from "@/lib/mail/verify";
import { addPasskey } from "@/lib/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/passkeys/challenge";
import { removePasskey } from "@/lib/passkeys/change";
import { passkeysOf } from "@/lib/passkeys/list";
import { verifyRegistration } from "@/lib/passkeys/register";
import { codeOf } from "@/tests/recovery/refused";
import { Authenticator } from "@/tests/support/authenticator";
import { newNetwork } from "@/tests/support/network";
import { type MailServer, startMailServer } from "./mail-server";
import { enter, newAddress, newReader, newUser, PASSWORD, secretOf } from "./people";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example";
  process.env.MAIL_FROM = "keys@keys.example";
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
});

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  env.SMTP_URL = server.url;
  return () => server.stop();
});

test("a program on another network is told of when it is linked, one on the user's own is not", async () => {
  const reader = await newReader(server);
  const [here, elsewhere] = [newNetwork(), newNetwork()];
  for (const network of [here, elsewhere]) {
    const { id } = await askForCode({ network, program: "Call evil.example now", webPage: null });
    await approveRequest({ id: reader.id, network: here }, id);
  }
  const told = (await server.mailTo(reader.address, 2)).slice(1);
  expect(told.map(({ subject }) => subject)).toEqual(["A program on another network was linked"]);
  expect(told[0]?.text).toContain(elsewhere.id);
  expect(told[0]?.raw).not.toContain("evil");
});

test("a passkey is told of when it is added and when it is removed", async () => {
  const reader = await newReader(server, PASSWORD);
  const ceremony: Ceremony = { purpose: "add", browser: newId(), subject: reader.id };
  const party = { id: "keys.example", origin: "https://keys.example" };
  const created = new Authenticator(party.origin).create(newChallenge(ceremony));
  await addPasskey(reader.id, await verifyRegistration(created, party, ceremony));
  await server.mailTo(reader.address, 2);
  const [passkey] = await passkeysOf(reader.id);
  await removePasskey(reader.id, String(passkey?.id));
  const subjects = (await server.mailTo(reader.address, 3)).map(({ subject }) => subject);
  expect(subjects.slice(1)).toEqual(["A passkey was added", "A passkey was removed"]);
});

test("a provider is told of when it is connected, once", async () => {
  const reader = await newReader(server);
  const identity = { provider: "github", accountId: newId() };
  const from = { network: newNetwork().id };
  await connectIdentity(reader.id, identity, from);
  await connectIdentity(reader.id, identity, from);
  const told = (await server.mailTo(reader.address, 2)).slice(1);
  expect(told.map(({ subject }) => subject)).toEqual(["Another way to sign in was connected"]);
  expect(told[0]?.text).toContain(from.network);
  expect(told[0]?.text).not.toContain(identity.accountId);
});

test("of 10,000 guesses at links to verify an address from one network, fifty are looked at", async () => {
  const address = newAddress();
  await enter(await newUser(), address);
  const secret = secretOf(String((await server.mailTo(address))[0]?.link));
  const network = newNetwork();
  const codes: Record<string, number> = {};
  for (let n = 0; n < 10_000; n++) {
    const code = await codeOf(findAddressToVerify(`${n}`.padStart(43, "A"), network));
    codes[code] = (codes[code] ?? 0) + 1;
  }
  expect(codes).toEqual({ bad_link: 50, rate_limited: 10_000 - 50 });
  expect(await codeOf(findAddressToVerify(secret, network))).toBe("rate_limited");
  expect(await codeOf(findAddressToVerify(secret, newNetwork()))).toBe("ok");
});
