import { decideProgram } from "@/lib/link/allow";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { drawCode } from "@/lib/link/code";
import type { TokenChoice } from "@/lib/link/program";
import { db } from "@/lib/platform/db/client";
import { enter } from "@/tests/link/flow";
import { type Answer, ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectSuccess } from "./answers";

/** Letters that different codes might have: of 31 that are drawn, two are alike once in 400,000 times. */
export function differentLetters(count: number): string[] {
  const letters = new Set<string>();
  while (letters.size < count) letters.add(drawCode());
  return [...letters];
}

/** A new code, asked for from `network`, and its poll secret. */
export async function newCodeAndSecret(network?: string): Promise<{ code: string; secret: string }> {
  const { body, headers } = expectSuccess(await ask("/link/code", { network }));
  return { code: String(body?.code), secret: String(headers["link-secret"]) };
}

/** A new code alone. */
export const newCode = async (network?: string): Promise<string> => (await newCodeAndSecret(network)).code;

/** So many of them, one after another. */
export async function newCodes(count: number, network?: string): Promise<string[]> {
  const codes: string[] = [];
  while (codes.length < count) codes.push(await newCode(network));
  return codes;
}

/** Asks for the token of `code`. */
export function poll(code: string, network?: string): Promise<Answer> {
  return ask("/link/user", { query: { code }, network });
}

/** Does what the page does when its person confirms. */
export async function approve(code: string, user: TestUser, choice?: TokenChoice): Promise<void> {
  await approveRequest({ id: user.id, network: newNetwork() }, await enter(user, code), { choice });
}

/** Links a program that asks for a code with this, whose user changes nothing. */
export async function linkedBy(
  query: Record<string, string>,
  headers: Record<string, string> = {},
  user?: TestUser,
): Promise<{ user: TestUser; token: string }> {
  const [person, network] = [user ?? (await makeUser()), newNetwork().id];
  const asked = expectSuccess(await ask("/link/code", { query, network, headers }));
  const code = String(asked.body?.code);
  await approve(code, person);
  if (headers.Origin === "null") await allow(code, person, network, headers.Origin);
  const own = { ...headers, "Link-Secret": String(asked.headers["link-secret"]) };
  const { body } = expectSuccess(await ask("/link/user", { query: { code }, network, headers: own }));
  return { user: person, token: String(body?.token) };
}

/** Does what the page does when its person denies. */
export async function deny(code: string, user: TestUser): Promise<void> {
  await denyRequest({ id: user.id, network: newNetwork() }, await enter(user, code));
}

/** Does what the page does when its person allows a program on another network, or a web page, to collect. */
export async function allow(code: string, user: TestUser, network: string, webPage = ""): Promise<void> {
  await decideProgram(user.id, await enter(user, code), { decision: "allow", network, webPage });
}

/** Lets time pass for one request: its row says that all of it happened so many seconds earlier. */
export async function age(code: string, user: TestUser, seconds: number): Promise<void> {
  const id = await enter(user, code);
  const row = await db.linkCode.findUniqueOrThrow({ where: { id } });
  const earlier = (time: Date | null) => time && new Date(time.getTime() - seconds * 1000);
  const data = {
    expiresAt: new Date(row.expiresAt.getTime() - seconds * 1000),
    collectBy: earlier(row.collectBy),
    collectedAt: earlier(row.collectedAt),
  };
  await db.linkCode.update({ where: { id }, data });
}
