import { type Browser, chromium } from "playwright";
import { revealToken } from "@/lib/auth/tokens";
import { findUser } from "@/lib/auth/users";
import { findBrowser } from "@/scripts/browser";
import { newVisitor, signUp, type Visitor } from "./visitor";

export interface Person extends Visitor {
  id: string;
  username: string;
  role: string;
  token: string;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
}

/** Somebody who has just signed up and looks at the list of keys. */
export async function newPerson(browser: Browser): Promise<Person> {
  const visitor = await newVisitor(browser);
  const username = await signUp(visitor.page);
  await visitor.page.goto("/keys");
  const { id } = await findUser(username);
  return { ...visitor, id, username, role: "user", token: await revealToken(id) };
}
