"use client";

import { useActionState } from "react";
import { Button } from "@/components/button";
import { RotationEffects } from "@/components/link/rotation-effects";
import { Notice } from "@/components/notice";
import { whyFailed } from "@/components/why-failed";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import type { LinkRequest } from "@/lib/link/view";
import { takeAccessAway } from "./actions";
import styles from "./page.module.css";

interface Props {
  /** The program's own token; null: it gets the account's. */
  token: LinkRequest["token"];
  /** The programs that hold the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
  isCollected: boolean;
}

/** Removes the program's own token or, after listing what will stop, rotates the account's. */
export function TakeAccessAway({ token, programs, tokens, isCollected }: Props) {
  const [error, submit, busy] = useActionState(
    (before: string, form: FormData) => takeAccessAway(before, form).catch(whyFailed),
    "",
  );
  const before = isCollected ? "" : ", before this program can collect it";

  return (
    <details className={styles.takeAway}>
      <summary>Not you? Revoke access</summary>
      <div className={styles.takeAwayText}>
        {token ? (
          <p>{`Its token stops working immediately${before}. No other program is affected.`}</p>
        ) : (
          <>
            <p>{`You get a new token, and the old one stops working immediately${before}.`}</p>
            <RotationEffects programs={programs.filter(({ collected }) => collected)} tokens={tokens} />
            <p>If you've pasted the token anywhere, replace it there.</p>
          </>
        )}
        <form action={submit}>
          <input type="hidden" name="token" value={token?.id ?? ""} />
          <Button type="submit" color="red" size="sm" loading={busy}>
            Revoke access
          </Button>
        </form>
        <Notice kind="error">{error}</Notice>
      </div>
    </details>
  );
}
