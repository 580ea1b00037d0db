import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentUser } from "@/lib/auth/current-user";
import { type SearchParams, withNext } from "../next-path";
import { pageOrigin } from "../origin";
import { KeyView } from "./key-view";
import { KeysView } from "./keys-view";

export const metadata: Metadata = { title: "Keys" };

/** One key if the address names one, otherwise the list. (Addresses under /keys/ belong to the API.) */
export default async function KeysPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, query, origin] = await Promise.all([currentUser(), searchParams, pageOrigin()]);
  // Only what HTML can hold: a browser would read other text than this page wrote.
  const sent = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.replace(/[\0\r]/g, "").toWellFormed()]] : [],
    ),
  );
  const isId = /^[0-9a-f]{32}$/.test(sent.key ?? "");
  if (!user)
    redirect(withNext("/signin", Object.keys(sent).length > 0 ? `/keys?${new URLSearchParams(sent)}` : "/keys"));
  if (sent.key !== undefined) return <KeyView caller={user} keyId={isId ? sent.key : ""} sent={sent} origin={origin} />;
  return <KeysView caller={user} sent={sent} origin={origin} />;
}
