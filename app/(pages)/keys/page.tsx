import { currentUser } from "@/lib/accounts/session/current-user";
import type { SearchParams } from "../next-path";
import { signInFirst, textsIn } from "../visitor";
import { KeyView } from "./key-view";
import { KeysView } from "./keys-view";

export const metadata = { title: "Keys" };

/** One key if the address names one, otherwise the list. (Addresses under /keys/ belong to the API.) */
export default async function KeysPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, searchParameters] = await Promise.all([currentUser(), searchParams]);
  if (!user) signInFirst("/keys", searchParameters);
  const query = textsIn(searchParameters);
  const isId = /^[0-9a-f]{32}$/.test(query.key ?? "");
  if (query.key !== undefined) return <KeyView caller={user} keyId={isId ? query.key : ""} query={query} />;
  return <KeysView caller={user} query={query} />;
}
