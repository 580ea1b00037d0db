"use client";

import { When } from "@/components/content/time";
import { TextInput } from "@/components/controls/field";
import { SteadyButton } from "@/components/controls/steady-button";
import { IconMail } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { EmailOverview } from "@/lib/accounts/mail/addresses";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ActionDialog, DialogButton } from "../action-dialog";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { cancelEmailChange, enterEmail, removeEmail, sendEmailAgain } from "./actions";
import styles from "./page.module.css";

/** Asks for an e-mail address, and has a link sent there. */
function EmailDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActionDialog
      title="Your e-mail address"
      submit="Send link"
      action={enterEmail}
      input={(text) => text("address")}
      onClose={onClose}
    >
      <p>We'll send a link to this address. Once you've opened the link, we'll use the address.</p>
      <TextInput type="email" label="E-mail address" name="address" autoComplete="email" maxLength={254} required />
    </ActionDialog>
  );
}

/** The user's e-mail address, whether it is verified, and what became of the messages to it. */
export function EmailPanel(email: EmailOverview) {
  const { address, pending } = email;
  const input = { address, pending };
  return (
    <div className={styles.stack}>
      <p className={styles.soft}>
        Optional: to set a new password if you forget yours, and to hear of changes to your account. Other users can't
        see it.
      </p>
      {address !== null && (
        <p>
          <strong translate="no">{address}</strong>, verified
        </p>
      )}
      {pending !== null && <Pending {...email} pending={pending} />}
      {pending === null && email.hasFailed && <p>The last message to this address could not be delivered.</p>}
      <ActionGroup>
        <ActionError />
        <Actions>
          {pending !== null && (
            <ActionButton
              size="sm"
              variant="filled"
              action={sendEmailAgain}
              input={input}
              done="Another link is on its way."
            >
              Send again
            </ActionButton>
          )}
          <DialogButton leftSection={<IconMail size={16} />} dialog={(close) => <EmailDialog onClose={close} />}>
            {address === null && pending === null ? "Add address" : "Change address"}
          </DialogButton>
          {address !== null && pending !== null && (
            <ActionButton
              as={SteadyButton}
              size="sm"
              action={cancelEmailChange}
              input={input}
              done="Address not changed."
            >
              Cancel change
            </ActionButton>
          )}
          {(address !== null || pending !== null) && (
            <ActionButton as={SteadyButton} size="sm" action={removeEmail} input={input} done="E-mail address removed.">
              Remove
            </ActionButton>
          )}
        </Actions>
      </ActionGroup>
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
          The message to <strong translate="no">{pending}</strong> could not be sent yet. We'll keep trying until{" "}
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
