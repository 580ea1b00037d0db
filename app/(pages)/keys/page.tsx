import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentUser } from "@/lib/auth/session";
import { type Query, withNext } from "../next-path";
import { pageOrigin } from "../origin";
import { KeyView } from "./key-view";
import { KeysView } from "./keys-view";

export const metadata: Metadata = { title: "Keys" };

/** One key where the address names one, else the list. (Addresses under /keys/ are the API's.) */
export default async function KeysPage({ searchParams }: { searchParams: Query }) {
  const [user, query, origin] = await Promise.all([currentUser(), searchParams, pageOrigin()]);
  // As HTML can hold it: a browser would read another text than this page wrote.
  const sent = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (typeof value === "string" ? [[name, value.replace(/[\0\r]/g, "").toWellFormed()]] : [])),
  );
  const isId = /^[0-9a-f]{32}$/.test(sent.key ?? "");
  if (!user) redirect(withNext("/signin", Object.keys(sent).length > 0 ? `/keys?${new URLSearchParams(sent)}` : "/keys"));
  if (sent.key !== undefined) return <KeyView viewer={user} keyId={isId ? sent.key : ""} sent={sent} origin={origin} />;
  return <KeysView viewer={user} sent={sent} origin={origin} />;
}
