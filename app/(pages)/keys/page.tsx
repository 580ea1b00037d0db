import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentUser } from "@/lib/auth/session";
import type { Query } from "../next-path";
import { pageOrigin } from "../origin";
import { KeyView } from "./key-view";
import { KeysView } from "./keys-view";

export const metadata: Metadata = { title: "Keys" };

/** One key where the address names one, else the list. (Addresses under /keys/ are the API's.) */
export default async function KeysPage({ searchParams }: { searchParams: Query }) {
  const [user, query, origin] = await Promise.all([currentUser(), searchParams, pageOrigin()]);
  const sent = Object.fromEntries(Object.entries(query).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
  const isId = /^[0-9a-f]{32}$/.test(sent.key ?? "");
  if (!user) redirect(isId ? `/signin?next=/keys?key=${sent.key}` : "/signin?next=/keys");
  if (sent.key !== undefined) return <KeyView viewer={user} keyId={isId ? sent.key : ""} sent={sent} origin={origin} />;
  return <KeysView viewer={user} sent={sent} origin={origin} />;
}
