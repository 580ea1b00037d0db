import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { ask } from "@/tests/support/http";
import type { TestUser } from "@/tests/support/user";
import type { Person } from "./person";
import { openReady } from "./visitor";

export const SECRET = 'licence 7f31\n{"a": 1} 🔑 "quoted" <b>';

/** What `/keys/get` answers to this user. */
export const seenBy = async (user: { token: string }, keyId: string) =>
  (await ask(`/keys/get/${keyId}`, { query: { auth: user.token } })).body;

export const holds = async (username: string, keyId: string) =>
  (await ask(`/keys/check/${username}`, { query: { key: keyId } })).body?.owned;

/** Makes a key with these holders, opens it on the person's page, and answers its id. */
export async function openNewKey(person: Person, holders: TestUser[] = [], name = "Season pass"): Promise<string> {
  const key = await createKey(person, { data: SECRET, price: "1.5", name });
  for (const holder of holders) await addHolder(person, await findKey(person, key.id), holder.username);
  await openReady(person.page, `/keys?key=${key.id}`);
  return key.id;
}
