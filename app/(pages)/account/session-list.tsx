"use client";

import { useState } from "react";
import rows from "@/components/content/facts.module.css";
import { RelativeTime } from "@/components/content/time";
import { networkName } from "@/components/content/words";
import { SteadyButton } from "@/components/controls/steady-button";
import { useToast } from "@/components/feedback/toast";
import { Actions } from "@/components/frame/panel";
import { signOutHere } from "@/components/frame/sign-out";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { signOutElsewhere, signOutOf } from "./actions";
import styles from "./page.module.css";

interface Session {
  id: string;
  since: Date;
  /** The network it was signed in from; null if unknown. */
  network: string | null;
  browser: string;
  /** This is the current browser. */
  isThis: boolean;
}

/** Every browser in which the user is signed in, each with a button to sign out. */
export function SessionList({ sessions }: { sessions: Session[] }) {
  const { run, busy, error } = useAction();
  const toast = useToast();
  const [ending, setEnding] = useState<string | null>(null);

  async function end({ id, isThis, browser }: Session) {
    setEnding(id);
    const ended = await (isThis ? run(leave) : run(signOutOf, id));
    setEnding(null);
    if (ended && !isThis) toast({ text: `${browser || "Unknown browser"} has been signed out.` });
  }

  async function endOthers() {
    if (await run(signOutElsewhere)) toast({ text: "All other browsers have been signed out." });
  }

  return (
    <>
      <ul className={rows.list}>
        {sessions.map((session) => (
          <li key={session.id}>
            <span>
              <strong>{session.browser || "Unknown browser"}</strong>
              {session.isThis && <span> (this browser)</span>}
              <span className={rows.detail}>
                Signed in <RelativeTime at={session.since} precise />
                {session.network && <span>{`, from ${networkName(session.network)}`}</span>}
              </span>
            </span>
            <SteadyButton
              variant="default"
              size="xs"
              aria-label={session.isThis ? "Sign out" : `Sign out ${session.browser || "unknown browser"}`}
              loading={ending === session.id}
              disabled={busy && ending !== session.id}
              onClick={() => end(session)}
            >
              Sign out
            </SteadyButton>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Actions>
          <SteadyButton
            size="sm"
            variant="default"
            onClick={endOthers}
            loading={busy && ending === null}
            disabled={ending !== null}
          >
            Sign out other browsers
          </SteadyButton>
        </Actions>
      )}
      <ErrorNotice error={error} />
      <p className={styles.soft}>Programs stay linked when you sign out.</p>
    </>
  );
}

async function leave() {
  await signOutHere();
  return { ok: undefined };
}
