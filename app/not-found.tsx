import { headers } from "next/headers";
import { LinkButton } from "@/components/buttons";
import { Actions, MessagePage } from "@/components/page";
import form from "@/components/page.module.css";
import { Shell } from "@/components/shell";
import { currentUser } from "@/lib/accounts/session/current-user";
import { isOperator } from "@/lib/operator/access";
import { env } from "@/lib/platform/env";
import { HIDDEN_CONSOLE } from "@/lib/platform/http/pages";
import { GuestLinks } from "./(pages)/across-pages";
import { lateTextFontClass } from "./text-font";

export const metadata = { title: "Page not found" };

export default async function NotFound() {
  const requestHeaders = await headers();
  const id = requestHeaders.get("x-request-id");
  // Without a database, this page needs no more than its own words.
  const user = await currentUser().catch(() => undefined);
  return (
    <div className={lateTextFontClass}>
      <Shell
        viewer={user === null ? null : user?.username}
        isOperator={Boolean(user && isOperator(user))}
        guestLinks={<GuestLinks signUpOpen={env.ALLOW_SIGNUP} />}
      >
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
      </Shell>
    </div>
  );
}
