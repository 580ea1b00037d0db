import { type Answer, ask } from "@/tests/support/http";
import type { TestUser } from "@/tests/support/user";
import { expectSuccess } from "./answers";

export const NO_KEY = "0".repeat(32);

/** Calls a route as `caller`. */
export function as({ token }: TestUser, path: string, query: Record<string, string | undefined> = {}): Promise<Answer> {
  return ask(path, { query: { ...query, auth: token } });
}

/** A new key of `creator`: its id. */
export async function newKey(creator: TestUser, query: Record<string, string> = {}): Promise<string> {
  const { body } = expectSuccess(await as(creator, "/keys/create", { data: "secret", price: "1", ...query }));
  return String(body?.key);
}

/** Makes `holder` a holder of the key. */
export async function share(creator: TestUser, id: string, holder: TestUser): Promise<void> {
  expectSuccess(await as(creator, `/keys/admin_add/${id}`, { key: id, username: holder.username }));
}

/** The usernames that hold the key, as its creator is told. */
export async function holdersOf(creator: TestUser, id: string): Promise<string[]> {
  const { body } = expectSuccess(await as(creator, `/keys/get/${id}`));
  return Object.keys(body?.users ?? {}).sort();
}
