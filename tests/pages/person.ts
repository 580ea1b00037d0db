import { type Browser, chromium } from "playwright";
import { revealToken } from "@/lib/auth/rotate-token";
import { findUser } from "@/lib/user";
import { findBrowser } from "@/scripts/browser";
import { type Member, newMember } from "./visitor";

export interface Person extends Member {
  id: string;
  role: string;
  token: string;
}

/** `others`: further switches of Chromium's. */
export function launchBrowser(others: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", ...others],
  });
}

/** Somebody who has just signed up and looks at the list of keys. */
export async function newPerson(browser: Browser): Promise<Person> {
  const member = await newMember(browser);
  await member.page.goto("/keys");
  const { id } = await findUser(member.username);
  return { ...member, id, role: "user", token: await revealToken(id) };
}
