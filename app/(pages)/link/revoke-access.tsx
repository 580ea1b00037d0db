"use client";

import { Form } from "@/components/form";
import { RotationEffects } from "@/components/rotation-effects";
import { SteadyButton } from "@/components/steady-button";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/list";
import type { LinkRequest } from "@/lib/link/view";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { revokeAccess } from "./actions";
import styles from "./page.module.css";

interface RevokeAccessProps {
  /** The program's own token; null: it gets the account's. */
  token: LinkRequest["token"];
  /** The programs that hold the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
  isCollected: boolean;
}

/** Removes the program's own token or, after listing what will stop, rotates the account's. */
export function RevokeAccess({ token, programs, tokens, isCollected }: RevokeAccessProps) {
  const { run, busy, error } = useAction();
  const before = isCollected ? "" : ", before this program can collect it";

  return (
    <details className={styles.revoke}>
      <summary>Not you? Revoke access</summary>
      <div className={styles.revokeText}>
        {token ? (
          <p>{`Its token stops working immediately${before}. No other program is affected.`}</p>
        ) : (
          <>
            <p>{`You get a new token, and the old one stops working immediately${before}.`}</p>
            <RotationEffects programs={programs.filter(({ collected }) => collected)} tokens={tokens} />
            <p>If you've pasted the token anywhere, replace it there.</p>
          </>
        )}
        <Form onSubmit={(fields) => run(revokeAccess, fields)}>
          <input type="hidden" name="token" value={token?.id ?? ""} />
          <SteadyButton type="submit" color="red" size="sm" loading={busy}>
            Revoke access
          </SteadyButton>
        </Form>
        <ErrorNotice error={error} />
      </div>
    </details>
  );
}
