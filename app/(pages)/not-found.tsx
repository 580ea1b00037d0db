import { headers } from "next/headers";
import { LinkButton } from "@/components/buttons";
import { Actions, MessagePage } from "@/components/page";
import form from "@/components/page.module.css";
import { currentUser } from "@/lib/accounts/session/current-user";
import { HIDDEN_CONSOLE } from "@/lib/platform/http/pages";

export const metadata = { title: "Page not found" };

/** What a page says that is not there, within the layout of all pages. */
export default async function PageNotFound() {
  const requestHeaders = await headers();
  const id = requestHeaders.get("x-request-id");
  // Without a database, this page needs no more than its own words.
  const user = await currentUser().catch(() => undefined);
  return (
    <MessagePage
      title="Page not found"
      text={
        user && requestHeaders.has(HIDDEN_CONSOLE)
          ? `Only administrators can open this address, and ${user.username} isn't one. If you have an ` +
            "administrator account, sign out and sign in with it."
          : "The address may be mistyped, or the page may have been removed."
      }
    >
      <Actions>
        <LinkButton href="/">Go home</LinkButton>
      </Actions>
      {id && !requestHeaders.has(HIDDEN_CONSOLE) && (
        <p className="soft">
          If a link on this site brought you here, give the operator of this service this reference:{" "}
          <code translate="no" className={form.reference}>
            {id}
          </code>
        </p>
      )}
    </MessagePage>
  );
}
