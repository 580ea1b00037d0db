import { randomBytes } from "node:crypto";
import { createUser, type NewUser } from "@/lib/auth/users";
import { enterAddress } from "@/lib/mail/addresses";
import { verifyAddress } from "@/lib/mail/verify";
import { newNetwork } from "@/tests/support/network";
import { newUsername, signedIn } from "@/tests/support/user";
import type { MailServer } from "./mail-server";

export const PASSWORD = "correct horse battery";
export const newAddress = () => `${randomBytes(6).toString("hex")}@people.example`;
export const newUser = (password?: string) => createUser({ username: newUsername(), password });
export const secretOf = (link: string) => new URL(link).hash.slice(1);

/** The user enters an address, and gets the message. */
export async function enter(user: NewUser, address: string, now = new Date()): Promise<void> {
  await enterAddress(await signedIn(user), address, newNetwork(), now);
}

/** A user with a verified address. */
export async function newReader(server: MailServer, password?: string): Promise<NewUser & { address: string }> {
  const user = await newUser(password);
  const address = newAddress();
  await enter(user, address);
  const [mail] = await server.mailTo(address);
  await verifyAddress(user.id, secretOf(String(mail?.link)), newNetwork());
  return { ...user, address };
}
