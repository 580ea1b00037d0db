"use client";

import { useEffect, useState } from "react";
import { Button, LinkButton } from "@/components/buttons";
import { CopyButton } from "@/components/copy-button";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/feedback";
import { PasswordField, TextInput } from "@/components/form";
import { IconDownload, IconLifebuoy, IconMail, IconPrinter } from "@/components/icons";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import type { EmailOverview } from "@/lib/accounts/ways-in/mail/addresses";
import { countInWords, durationInWords, LINK_HOURS, RECOVERY_CODES } from "@/lib/platform/bounds";
import { AskButton, DialogButton } from "../action-dialog";
import { ActionButton, ActionError, ActionForm, ActionGroup, Submit } from "../action-form";
import { cancelEmailChange, enterEmail, newRecoveryCodes, removeEmail, sendEmailAgain } from "./actions";
import styles from "./page.module.css";

/** The user's e-mail address, whether it is verified, and what became of the messages to it. */
export function EmailPanel(email: EmailOverview) {
  const { address, pending } = email;
  const input = { address, pending };
  return (
    <>
      <p className="soft">
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
          <AskButton
            button={{
              leftSection: <IconMail size={16} />,
              children: address === null && pending === null ? "Add address" : "Change address",
            }}
            title="Your e-mail address"
            submit="Send link"
            action={enterEmail}
            input={(text) => text("address")}
          >
            <p>We'll send a link to this address. Once you've opened the link, we'll use the address.</p>
            <TextInput
              type="email"
              label="E-mail address"
              name="address"
              autoComplete="email"
              maxLength={254}
              required
            />
          </AskButton>
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
    </>
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

interface ShownCodesProps {
  username: string;
  codes: string[];
  /** Whether they were copied or downloaded. Nobody tells a page whether it was printed. */
  isSaved: boolean;
  /** The user tried to leave before. */
  isWarned: boolean;
  onSaved: () => void;
  onDone: () => void;
}

/** The codes, before they are forgotten: to copy, download or print. */
function ShownCodes({ username, codes, isSaved, isWarned, onSaved, onDone }: ShownCodesProps) {
  const title = `Recovery codes of ${username}`;
  const text = `${title}\n${window.location.origin}/recover\n\n${codes.join("\n")}\n`;

  // The browser asks before the page is left.
  useEffect(() => {
    if (isSaved) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isSaved]);

  return (
    <>
      <p role="status">Store these codes now. They can't be shown again.</p>
      <div className={styles.sheet}>
        <p className={styles.onPaper}>{`${title}: ${window.location.origin}/recover`}</p>
        <ol className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code translate="no">{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <Notice kind="error">
        {isWarned &&
          !isSaved &&
          "You'd lose these codes. Copy or download them first, or print them and press “I've saved them”."}
      </Notice>
      <Actions>
        <CopyButton isMain text={text} onCopied={onSaved} />
        <LinkButton
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`latchkey-${username}-recovery-codes.txt`}
          size="sm"
          variant="default"
          onClick={onSaved}
          leftSection={<IconDownload size={16} />}
        >
          Download
        </LinkButton>
        <Button size="sm" variant="default" onClick={() => window.print()} leftSection={<IconPrinter size={16} />}>
          Print
        </Button>
        <Button size="sm" variant="default" onClick={onDone}>
          {isSaved ? "Done" : "I've saved them"}
        </Button>
      </Actions>
    </>
  );
}

interface RecoveryCodesDialogProps {
  username: string;
  needsPassword: boolean;
  left: number;
  onClose: () => void;
}

/** Asks for the password, creates codes, and shows them this once: until they are saved, Escape does not close it. */
function RecoveryCodesDialog({ username, needsPassword, left, onClose }: RecoveryCodesDialogProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isWarned, setWarned] = useState(false);
  return (
    <Dialog
      onClose={onClose}
      onEscape={codes && !isSaved ? () => setWarned(true) : undefined}
      title={codes ? "Your recovery codes" : "Create recovery codes"}
    >
      {codes ? (
        <ShownCodes
          username={username}
          codes={codes}
          isSaved={isSaved}
          isWarned={isWarned}
          onSaved={() => setSaved(true)}
          onDone={onClose}
        />
      ) : (
        <ActionForm action={newRecoveryCodes} input={(text) => text("current")} onDone={setCodes}>
          <p>
            You'll get <span>{countInWords(RECOVERY_CODES)}</span> codes. They are shown only once.
            {left > 0 && <span>{` Your remaining ${left === 1 ? "code" : `${left} codes`} will stop working.`}</span>}
          </p>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          {needsPassword && <PasswordField label="Your password" name="current" autoComplete="current-password" />}
          <Submit as={SteadyButton} cancel={onClose}>
            Create codes
          </Submit>
        </ActionForm>
      )}
    </Dialog>
  );
}

interface RecoveryPanelProps {
  username: string;
  needsPassword: boolean;
  /** How many codes can still be used. */
  left: number;
  createdAt: Date | null;
}

/** The codes with which the user gets back in without the password: how many are left, and a way to new ones. */
export function RecoveryPanel({ username, needsPassword, left, createdAt }: RecoveryPanelProps) {
  return (
    <div id="recovery-codes" className="stack">
      <p className="soft">If you forget your password, a recovery code lets you set a new one. Each works once.</p>
      {createdAt ? (
        <p>
          <strong>{`${left === 1 ? "1 code" : `${left} codes`} left`}</strong>, created <When at={createdAt} />
        </p>
      ) : (
        <p>You have no recovery codes.</p>
      )}
      <Actions>
        <DialogButton
          leftSection={<IconLifebuoy size={16} />}
          dialog={(close) => (
            <RecoveryCodesDialog username={username} needsPassword={needsPassword} left={left} onClose={close} />
          )}
        >
          {createdAt ? "Create new codes" : "Create recovery codes"}
        </DialogButton>
      </Actions>
    </div>
  );
}

/** Greets somebody who has just signed up, and offers what to do before a password is forgotten. */
export function OfferCodes() {
  return (
    <Notice kind="done">
      Your account is ready. In case you forget your password, <a href="#recovery-codes">create recovery codes</a>.
    </Notice>
  );
}
