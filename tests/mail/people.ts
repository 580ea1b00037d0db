import { randomBytes } from "node:crypto";
import { createUser, type NewUser } from "@/lib/accounts/ways-in/create";
import { enterAddress, verifyAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { sendMail } from "@/lib/accounts/ways-in/mail/send";
import { secretOf } from "@/tests/recovery/recover-by";
import { newNetwork } from "@/tests/support/request";
import { newUsername, signedIn } from "@/tests/support/user";

import type { MailServer, Received } from "./mail-server";

export const PASSWORD = "correct horse battery";
export const newAddress = () => `${randomBytes(6).toString("hex")}@people.example`;
export const newUser = (password?: string) => createUser({ username: newUsername(), password });

export async function enter(user: NewUser, address: string, now = new Date()): Promise<void> {
  await enterAddress(await signedIn(user), address, { network: newNetwork(), now });
}

/** The messages to an address, once there are so many. They are sent now: the service would wait for a moment. */
export async function mailTo(server: MailServer, address: string, count = 1): Promise<Received[]> {
  await sendMail();
  return server.mailTo(address, count);
}

export async function lastTo(server: MailServer, address: string, count = 1): Promise<Received> {
  const last = (await mailTo(server, address, count)).at(-1);
  if (!last) throw new Error("There is no message.");
  return last;
}

export async function newReader(server: MailServer, password?: string): Promise<NewUser & { address: string }> {
  const user = await newUser(password);
  const address = newAddress();
  await enter(user, address);
  const { link } = await lastTo(server, address);
  await verifyAddress(user.id, secretOf(link), { network: newNetwork() });
  return { ...user, address };
}
