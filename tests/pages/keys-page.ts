import type { Page } from "playwright";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { addHolder } from "@/lib/keys/grant";
import { ask } from "@/tests/support/http";
import { type Member, openReady } from "./visitor";

export const SECRET = 'licence 7f31\n{"a": 1} 🔑 "quoted" <b>';

/** What `/keys/get` answers to this user. */
export const seenBy = async (user: { token: string }, keyId: string) =>
  (await ask(`/keys/get/${keyId}`, { query: { auth: user.token } })).body;

export const holds = async (username: string, keyId: string) =>
  (await ask(`/keys/check/${username}`, { query: { key: keyId } })).body?.owned;

interface Named {
  id: string;
  username: string;
}
interface NewKey {
  holders?: { username: string }[];
  name?: string;
  data?: string;
  price?: string;
}

/** The checkbox of a key in a list: the head of its row says which. */
export const tickOf = (page: Page, name: string) =>
  page
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name }) })
    .getByRole("checkbox");

/** Makes a key, and answers its id. */
export async function newKey(
  creator: Named,
  { holders = [], name = "Season pass", data = SECRET, price = "1.5" }: NewKey = {},
): Promise<string> {
  const { id } = await createKey({ ...creator, role: "user" }, { data, price, name });
  await giveKey(creator, id, ...holders);
  return id;
}

export async function giveKey(creator: Named, keyId: string, ...holders: { username: string }[]): Promise<void> {
  const caller = { ...creator, role: "user" };
  for (const { username } of holders) await addHolder(caller, await findKey(caller, keyId), { username });
}

/** Makes a key, opens it on the person's page, and answers its id. */
export async function openNewKey(person: Member, key?: NewKey): Promise<string> {
  const id = await newKey(person, key);
  await openReady(person.page, `/keys?key=${id}`);
  return id;
}

/** As a field for a time has it: the browser's zone is this process's. */
export const localTime = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
