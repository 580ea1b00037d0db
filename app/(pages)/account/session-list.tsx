"use client";

import { signOutHere } from "@/components/auth";
import rows from "@/components/content.module.css";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { RelativeTime } from "@/components/time";
import { networkName } from "@/components/words";
import type { OpenSession } from "@/lib/accounts/session/sessions";
import type { Outcome } from "../action";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { signOutElsewhere, signOutOf } from "./actions";

interface Session extends Omit<OpenSession, "userAgent"> {
  browser: string;
  /** This is the current browser. */
  isThis: boolean;
}

/** Every browser in which the user is signed in, each with a button to sign out. */
export function SessionList({ sessions }: { sessions: Session[] }) {
  return (
    <ActionGroup>
      <ul className={rows.list}>
        {sessions.map(({ id, since, network, browser, isThis }) => (
          <li key={id}>
            <span>
              <strong>{browser || "Unknown browser"}</strong>
              {isThis && <span> (this browser)</span>}
              <span className="detail">
                Signed in <RelativeTime at={since} precise />
                {network && <span>{`, from ${networkName(network)}`}</span>}
              </span>
            </span>
            <ActionButton
              as={SteadyButton}
              size="xs"
              aria-label={isThis ? "Sign out" : `Sign out ${browser || "unknown browser"}`}
              action={isThis ? leave : signOutOf}
              input={id}
              done={isThis ? "" : `${browser || "Unknown browser"} has been signed out.`}
            >
              Sign out
            </ActionButton>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Actions>
          <ActionButton
            as={SteadyButton}
            size="sm"
            action={signOutElsewhere}
            done="All other browsers have been signed out."
          >
            Sign out other browsers
          </ActionButton>
        </Actions>
      )}
      <ActionError />
      <p className="soft">Programs stay linked when you sign out.</p>
    </ActionGroup>
  );
}

async function leave(): Promise<Outcome<void>> {
  await signOutHere();
  return { ok: undefined };
}
