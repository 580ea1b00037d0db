"use client";

import { useState } from "react";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { useToast } from "@/components/feedback/toast";
import { IconMail } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { EmailOverview } from "@/lib/accounts/mail/addresses";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { cancelEmailChange, enterEmail, removeEmail, sendEmailAgain } from "./actions";
import styles from "./page.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Asks for an e-mail address, and has a link sent there. */
function EmailDialog({ opened, onClose }: Props) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [visit, setVisit] = useState(0);

  async function submit(fields: FormData) {
    if (await run(enterEmail, String(fields.get("address")))) close();
  }

  function close() {
    clear();
    setVisit(visit + 1);
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={close} title="Your e-mail address">
      {opened && (
        <Form key={visit} onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>We'll send a link to this address. Once you've opened the link, we'll use the address.</p>
          <TextInput
            type="email"
            label="E-mail address"
            name="address"
            autoComplete="email"
            maxLength={254}
            required
            error={errorAt("address")}
          />
          <ErrorNotice error={error} />
          <Actions>
            <SteadyButton type="submit" loading={busy}>
              Send link
            </SteadyButton>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}

/** The user's e-mail address, whether it is verified, and what became of the messages to it. */
export function EmailPanel(email: EmailOverview) {
  const { run, busy, error } = useAction();
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const { address, pending } = email;

  async function act(action: typeof sendEmailAgain, sentence: string) {
    if (await run(action, { address, pending })) toast({ text: sentence });
  }

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
      <ErrorNotice error={error} />
      <Actions>
        {pending !== null && (
          <Button size="sm" loading={busy} onClick={() => act(sendEmailAgain, "Another link is on its way.")}>
            Send again
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => setOpen(true)} leftSection={<IconMail size={16} />}>
          {address === null && pending === null ? "Add address" : "Change address"}
        </Button>
        {address !== null && pending !== null && (
          <SteadyButton size="sm" variant="default" onClick={() => act(cancelEmailChange, "Address not changed.")}>
            Cancel change
          </SteadyButton>
        )}
        {(address !== null || pending !== null) && (
          <SteadyButton size="sm" variant="default" onClick={() => act(removeEmail, "E-mail address removed.")}>
            Remove
          </SteadyButton>
        )}
      </Actions>
      <EmailDialog opened={isOpen} onClose={() => setOpen(false)} />
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
