import { currentUser } from "@/lib/accounts/current-user";
import type { Declaration } from "@/lib/api/declaration";
import { ALICE, KEY } from "@/lib/api/example-values";
import { listKeys } from "@/lib/keys/list";

/** What the samples know of the reader. */
export interface ReaderValues {
  /** The reader's own values, by those of the examples that they replace. */
  own: Record<string, string>;
  /** What the reader calls the key whose id is filled in. */
  keyName?: string;
}

/** The signed-in reader's name and newest own key. */
export async function readerValues(): Promise<ReaderValues> {
  const user = await currentUser();
  if (!user) return { own: {} };
  const { keys } = await listKeys(user, { kind: "made", search: "", page: "1" });
  const [key] = keys;
  if (!key) return { own: { [ALICE]: user.username } };
  return { own: { [ALICE]: user.username, [KEY]: key.id }, keyName: key.name || key.id };
}

/**
 * The example parameters of a route, with the reader's own values. A route that changes something keeps the example's:
 * a pasted sample must not change a real key.
 */
export function withOwn({ access, example }: Declaration, { own }: ReaderValues): Record<string, string> {
  const entries = Object.entries(example.parameters ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, (access === "read" && own[value]) || value]));
}
