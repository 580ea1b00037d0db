"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { IconMail } from "@/components/icons";
import { Actions } from "@/components/panel";
import { useToast } from "@/components/toast";
import { When } from "@/components/when";
import type { EmailOverview } from "@/lib/accounts/mail/addresses";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { cancelEmailChange, removeEmail, sendEmailAgain } from "./email-actions";
import { EmailDialog } from "./email-dialog";
import styles from "./page.module.css";

/** The user's e-mail address, whether it is verified, and what became of the messages to it. */
export function EmailPanel(email: EmailOverview) {
  const { run, busy, error } = useAction();
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const { address, pending } = email;
  const shown = { address, pending };

  async function act(action: Parameters<typeof run<void>>[0], sentence: string) {
    if (await run(action)) toast({ text: sentence });
  }

  return (
    <div className={styles.stack}>
      <p className={styles.soft}>
        Optional. If you forget your password, you get a link by e-mail. You're also told when your password, a passkey
        or this address changes, or a program on another network is linked. Other users don't see it.
      </p>
      {address !== null && (
        <p>
          <strong translate="no">{address}</strong>, verified
        </p>
      )}
      {pending !== null && <Pending {...email} pending={pending} />}
      {pending === null && email.hasFailed && <p>The last message to this address could not be delivered.</p>}
      <ErrorNotice error={error} />
      <Actions>
        {pending !== null && (
          <Button
            size="sm"
            loading={busy}
            onClick={() => act(() => sendEmailAgain(shown), "Another link is on its way.")}
          >
            Send again
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => setAsking(true)} leftSection={<IconMail size={16} />}>
          {address === null && pending === null ? "Add address" : "Change address"}
        </Button>
        {address !== null && pending !== null && (
          <Button
            size="sm"
            variant="default"
            onClick={() => act(() => cancelEmailChange(shown), "Address not changed.")}
          >
            Cancel change
          </Button>
        )}
        {(address !== null || pending !== null) && (
          <Button size="sm" variant="default" onClick={() => act(() => removeEmail(shown), "E-mail address removed.")}>
            Remove
          </Button>
        )}
      </Actions>
      <EmailDialog opened={asking} onClose={() => setAsking(false)} />
    </div>
  );
}

function Pending({ address, pending, triedUntil, hasFailed }: EmailOverview & { pending: string }) {
  return (
    <p role="status">
      {hasFailed ? (
        <span>
          The message to <strong translate="no">{pending}</strong> could not be delivered. Check the address.
        </span>
      ) : triedUntil ? (
        <span>
          The message to <strong translate="no">{pending}</strong> could not be sent yet. We keep trying until{" "}
          <When at={triedUntil} precise />.
        </span>
      ) : (
        <span>
          We've sent a link to <strong translate="no">{pending}</strong>. Open it within{" "}
          <span>{durationInWords(LINK_HOURS * 3_600)}</span> to verify the address.
        </span>
      )}
      {address !== null && <span> Until then, the other address stays in use.</span>}
    </p>
  );
}
