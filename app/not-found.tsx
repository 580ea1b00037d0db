import { Shell } from "@/components/shell";
import { currentUser } from "@/lib/accounts/session/current-user";
import { isOperator } from "@/lib/operator/access";
import { env } from "@/lib/platform/env";
import { GuestLinks } from "./(pages)/across-pages";
import PageNotFound from "./(pages)/not-found";
import { lateTextFontClass } from "./text-font";

export { metadata } from "./(pages)/not-found";

/** An address that no page has: outside the layout of all pages, so that it draws their frame itself. */
export default async function NotFound() {
  // Without a database, this page needs no more than its own words.
  const user = await currentUser().catch(() => undefined);
  return (
    <div className={lateTextFontClass}>
      <Shell
        viewer={user === null ? null : user?.username}
        isOperator={Boolean(user && isOperator(user))}
        guestLinks={<GuestLinks signUpOpen={env.ALLOW_SIGNUP} />}
      >
        <PageNotFound />
      </Shell>
    </div>
  );
}
