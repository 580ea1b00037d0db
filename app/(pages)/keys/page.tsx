import type { Metadata } from "next";
import { currentUser } from "@/lib/accounts/current-user";
import type { SearchParams } from "../next-path";
import { htmlText, pageOrigin, signInFirst } from "../outcome";
import { KeyView } from "./key-view";
import { KeysView } from "./keys-view";

export const metadata: Metadata = { title: "Keys" };

/** One key if the address names one, otherwise the list. (Addresses under /keys/ belong to the API.) */
export default async function KeysPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, query, origin] = await Promise.all([currentUser(), searchParams, pageOrigin()]);
  if (!user) signInFirst("/keys", query);
  const sent = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (typeof value === "string" ? [[name, htmlText(value)]] : [])),
  );
  const isId = /^[0-9a-f]{32}$/.test(sent.key ?? "");
  if (sent.key !== undefined) return <KeyView caller={user} keyId={isId ? sent.key : ""} sent={sent} origin={origin} />;
  return <KeysView caller={user} sent={sent} origin={origin} />;
}
