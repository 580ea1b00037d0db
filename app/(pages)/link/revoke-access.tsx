"use client";

import { RelativeTime } from "@/components/content/time";
import { networkName } from "@/components/content/words";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import type { LinkRequest } from "@/lib/link/view";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { revokeAccess } from "./actions";
import pageStyles from "./page.module.css";
import styles from "./revoke-access.module.css";

/** Further programs are shown on request. */
const SHOWN = 5;
const MAX_LISTED = 200;

/**
 * Programs that can act for a user, latest first: the name of each, its network, since when, and whether it has
 * collected the token.
 */
function ProgramList({ programs }: { programs: LinkedProgram[] }) {
  const more = programs.slice(SHOWN, MAX_LISTED);
  return (
    <div className={styles.list}>
      <Programs programs={programs.slice(0, SHOWN)} />
      {more.length > 0 && (
        <details>
          <summary>{`${more.length.toLocaleString("en")} more`}</summary>
          <Programs programs={more} />
          {programs.length > MAX_LISTED && <p>{`Only the latest ${MAX_LISTED} are listed.`}</p>}
        </details>
      )}
    </div>
  );
}

function Programs({ programs }: { programs: LinkedProgram[] }) {
  return (
    <ul className={styles.programs}>
      {programs.map(({ id, program, network, linkedAt, collected }) => (
        <li key={id}>
          <strong translate={program ? "no" : undefined}>{program || "Unnamed program"}</strong>, from{" "}
          <span translate="no">{networkName(network)}</span>, linked <RelativeTime at={new Date(linkedAt)} precise />
          {!collected && <span>, not collected yet</span>}
        </li>
      ))}
    </ul>
  );
}

interface RotationEffectsProps {
  /** The programs that hold the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
}

/** Which programs stop when the account's token is rotated, and which go on. Nothing if there are none. */
export function RotationEffects({ programs, tokens }: RotationEffectsProps) {
  const going = tokens.filter(({ state }) => state !== "ended");
  return (
    <>
      {programs.length > 0 && (
        <>
          <p>These programs lose access until you link them again:</p>
          <ProgramList programs={programs} />
        </>
      )}
      {going.length > 0 && (
        <>
          <p>These have tokens of their own, and keep working:</p>
          <div className={styles.list}>
            <Names tokens={going.slice(0, SHOWN)} />
            {going.length > SHOWN && (
              <details>
                <summary>{`${(going.length - SHOWN).toLocaleString("en")} more`}</summary>
                <Names tokens={going.slice(SHOWN)} />
              </details>
            )}
          </div>
        </>
      )}
    </>
  );
}

function Names({ tokens }: { tokens: ListedToken[] }) {
  return (
    <ul className={styles.programs}>
      {tokens.map(({ id, name }) => (
        <li key={id}>
          <strong translate="no">{name}</strong>
        </li>
      ))}
    </ul>
  );
}

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
    <details className={pageStyles.revoke}>
      <summary>Not you? Revoke access</summary>
      <div className={pageStyles.revokeText}>
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
