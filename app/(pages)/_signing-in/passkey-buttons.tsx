"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { IconFingerprint } from "@/components/icons";
import { SteadyButton } from "@/components/steady-button";
import type { Outcome } from "../action";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { leaveFor, useAction } from "../use-action";
import { declineOffer } from "./passkey-actions";
import {
  createPasskey,
  passkeyAdded,
  passkeyFromField,
  signInWithPasskey,
  stopOffering,
  useCanPasskeys,
} from "./passkeys";
import styles from "./signing-in.module.css";

/** Before the challenge of the offer in the field ends. */
const RENEW_MS = 4 * 60_000;

/**
 * Signs in with a passkey, and goes to `target`: by a button, or by selecting one that the browser offers in the field
 * for the username (which must have autocomplete="username webauthn").
 */
export function PasskeySignIn({ target }: { target: string }) {
  const { run, busy, error } = useAction();
  const [offers, setOffers] = useState(0);
  const pressed = useRef(false);
  const canPasskeys = useCanPasskeys();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each press and each renewal makes a new offer.
  useEffect(() => {
    let isOver = false;
    const renew = setTimeout(() => !pressed.current && setOffers((count) => count + 1), RENEW_MS);
    const mayStart = () => !isOver && !pressed.current;
    passkeyFromField(mayStart).then((finish) => {
      if (finish && mayStart()) enter(finish);
    });
    return () => {
      isOver = true;
      clearTimeout(renew);
    };
  }, [offers]);

  useEffect(() => () => void stopOffering().catch(() => {}), []);

  async function enter(work: () => Promise<Outcome<void>>) {
    pressed.current = true;
    const done = await run(async () => {
      const outcome = await work();
      if (!("error" in outcome)) await leaveFor(target);
      return outcome;
    });
    pressed.current = false;
    if (!done) setOffers((count) => count + 1);
  }

  if (!canPasskeys) return null;
  return (
    <div className="stack">
      <ErrorNotice error={error} />
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} />}
        onClick={() => enter(signInWithPasskey)}
        loading={busy}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}

/** Offers a passkey to a user who has just typed a password. Either press ends the offer in this browser. */
export function PasskeyOffer() {
  const canPasskeys = useCanPasskeys();
  if (!canPasskeys) return null;
  return (
    <aside className={styles.offer} aria-label="Passkey">
      <IconFingerprint size={28} />
      <div className={styles.words}>
        <strong>Sign in with a touch next time</strong>
        <span>A passkey replaces typing your password on this device.</span>
      </div>
      <ActionGroup>
        <div className={styles.buttons}>
          <ActionButton as={SteadyButton} size="sm" action={createPasskey} done={passkeyAdded}>
            Add a passkey
          </ActionButton>
          <ActionButton size="sm" action={declineOffer}>
            Not now
          </ActionButton>
        </div>
        <ActionError />
      </ActionGroup>
    </aside>
  );
}
