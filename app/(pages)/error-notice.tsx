"use client";

import { Notice } from "@/components/notice";
import { SIGNED_OUT } from "@/lib/errors";
import { withNext } from "./next-path";

/** The error of an action of the page, with a link to sign in if that is the cause. Empty: nothing. */
export function ErrorNotice({ error }: { error: string }) {
  return (
    <Notice kind="error">
      {error === SIGNED_OUT ? (
        <>
          {error} <a href={withNext("/signin", `${window.location.pathname}${window.location.search}`)}>Sign in</a>
        </>
      ) : (
        error
      )}
    </Notice>
  );
}
