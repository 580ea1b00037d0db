import { redirect } from "next/navigation";
import { type PageQuery, withNext } from "./next-path";

/** Sends somebody who is signed out to sign in, and then back to this page with its query. */
export function signInFirst(page: string, query: PageQuery = {}): never {
  redirect(withNext("/signin", addressOf(page, query)));
}

/** The address of a page. Of its query only what HTML can hold: a browser would read other text than a page wrote. */
function addressOf(page: string, query: PageQuery): string {
  const sent = Object.entries(query).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, htmlText(value)]] : [],
  );
  return sent.length > 0 ? `${page}?${new URLSearchParams(sent)}` : page;
}

/** A text without what HTML cannot hold. */
export const htmlText = (text: string) => text.replace(/[\0\r]/g, "").toWellFormed();
