"use client";

import { Button } from "@mantine/core";
import { signOut } from "next-auth/react";
import { useState } from "react";
import { networkName } from "@/components/link/place";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import rows from "@/components/row-list.module.css";
import { When } from "@/components/when";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { signOutElsewhere, signOutOf } from "./actions";
import styles from "./page.module.css";

interface Session {
  id: string;
  since: Date;
  /** Where it was signed in from; null where that is not known. */
  network: string | null;
  browser: string;
  /** The browser that looks at this. */
  isThis: boolean;
}

/** Every browser in which the user is signed in, each with a way out. */
export function SessionList({ sessions }: { sessions: Session[] }) {
  const { run, busy, error, done, setDone } = useAction();
  const [ending, setEnding] = useState<string | null>(null);

  async function end({ id, isThis }: Session) {
    setEnding(id);
    const ended = await run(() => (isThis ? leave() : signOutOf(id)));
    setEnding(null);
    if (!ended) return;
    if (isThis) window.location.assign("/");
    else setDone("That browser is signed out.");
  }

  async function endOthers() {
    if (await run(signOutElsewhere)) setDone("Every other browser is signed out.");
  }

  return (
    <>
      <ul className={rows.list}>
        {sessions.map((session) => (
          <li key={session.id}>
            <span>
              <strong>{session.browser || "A browser"}</strong>
              {session.isThis && " (this one)"}
              <span className={rows.detail}>
                Since <When at={session.since} precise />
                {session.network && `, from ${networkName(session.network)}`}
              </span>
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={session.isThis ? "Sign out" : `Sign out ${session.browser || "a browser"}`}
              loading={ending === session.id}
              disabled={busy && ending !== session.id}
              onClick={() => end(session)}
            >
              Sign out
            </Button>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Actions>
          <Button size="sm" variant="default" onClick={endOthers} loading={busy && ending === null} disabled={ending !== null}>
            Sign out other browsers
          </Button>
        </Actions>
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <p className={styles.soft}>Signing out of a browser does not stop programs: they use your token.</p>
    </>
  );
}

async function leave() {
  await signOut({ redirect: false });
  return { ok: undefined };
}
