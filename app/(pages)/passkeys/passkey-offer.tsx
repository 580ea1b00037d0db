"use client";

import { Button } from "@/components/controls/button";
import { SteadyButton } from "@/components/controls/steady-button";
import { useToast } from "@/components/feedback/toast";
import { IconFingerprint } from "@/components/frame/icons";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { declineOffer } from "./actions";
import { createPasskey, useCanPasskeys } from "./ceremonies";
import styles from "./passkeys.module.css";

/** Offers a passkey to a user who has just typed a password. Either press ends the offer in this browser. */
export function PasskeyOffer() {
  const { run, busy, error } = useAction();
  const toast = useToast();

  const canPasskeys = useCanPasskeys();

  async function accept() {
    const added = await run(createPasskey);
    if (added) toast({ text: `${added.ok} has been added. You can now sign in with it.` });
  }

  if (!canPasskeys) return null;
  return (
    <aside className={styles.offer} aria-label="Passkey">
      <IconFingerprint size={28} />
      <div className={styles.words}>
        <strong>Sign in with a touch next time</strong>
        <span>A passkey replaces typing your password on this device.</span>
      </div>
      <div className={styles.buttons}>
        <SteadyButton size="sm" variant="default" onClick={accept} loading={busy}>
          Add a passkey
        </SteadyButton>
        <Button size="sm" variant="default" onClick={() => run(declineOffer)} disabled={busy}>
          Not now
        </Button>
      </div>
      <ErrorNotice error={error} />
    </aside>
  );
}
