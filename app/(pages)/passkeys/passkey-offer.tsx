"use client";

import { SteadyButton } from "@/components/controls/steady-button";
import { IconFingerprint } from "@/components/frame/icons";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { declineOffer } from "./actions";
import { createPasskey, passkeyAdded, useCanPasskeys } from "./ceremonies";
import styles from "./passkeys.module.css";

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
