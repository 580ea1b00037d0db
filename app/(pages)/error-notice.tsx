"use client";

import { Notice } from "@/components/notice";
import { withNext } from "./next-path";
import { SIGNED_OUT } from "./signed-out";

/** What went wrong with an action of the page, and the way to sign in where that is what is wrong. Empty: nothing. */
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
