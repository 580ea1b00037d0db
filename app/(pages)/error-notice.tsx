"use client";

import { Button } from "@/components/buttons";
import { NEEDS_RELOAD } from "@/components/failures";
import { Notice } from "@/components/feedback";
import { SIGNED_OUT } from "@/lib/accounts/errors";
import { withNext } from "./next-path";

/**
 * The error of an action of the page, with the way out where there is one. To sign in takes another tab, because this
 * page has what its person typed. Empty: nothing.
 */
export function ErrorNotice({ error }: { error: string }) {
  return (
    <>
      <Notice kind="error">
        {error === SIGNED_OUT ? (
          <span>
            <span>{error}</span>{" "}
            <a
              href={withNext("/signin", `${window.location.pathname}${window.location.search}`)}
              target="_blank"
              rel="noreferrer"
            >
              Open sign-in in a new tab
            </a>
          </span>
        ) : (
          error
        )}
      </Notice>
      {error === NEEDS_RELOAD && (
        <Button variant="default" size="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      )}
    </>
  );
}
