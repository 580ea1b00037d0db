"use client";

import { useState } from "react";
import { LinkButton } from "@/components/controls/button";
import form from "@/components/controls/form.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import { ActionButton } from "../action-form";
import { Step } from "../link/step";
import { BadLink, OneTimeLink } from "../one-time-link/one-time-link";
import { previewAddress, type ShownAddress, verifyShownAddress } from "./actions";

const bad = (
  <BadLink>
    You can have another one sent on <a href="/account">your account's page</a>.
  </BadLink>
);

/** Verifies an e-mail address with the link that was sent to it. */
export function VerifyAddress() {
  return (
    <OneTimeLink
      title="Verify your e-mail address"
      lead="You opened a link from a message of this service. It works once."
      preview={previewAddress}
      bad={bad}
    >
      {(shown, secret, onBad) =>
        shown.isYours ? <VerifyingStep {...shown} secret={secret} onBad={onBad} /> : <SignInFirst {...shown} />
      }
    </OneTimeLink>
  );
}

interface AddressStepProps extends ShownAddress {
  /** Of the link that was sent to it. */
  secret: string;
  onBad: () => void;
}

function VerifyingStep(props: AddressStepProps) {
  const [isDone, setDone] = useState(false);
  return (
    <Step name={isDone ? "done" : "address"}>
      {isDone ? <Verified {...props} /> : <AddressStep {...props} onDone={() => setDone(true)} />}
    </Step>
  );
}

function AddressStep({ username, address, secret, onDone, onBad }: AddressStepProps & { onDone: () => void }) {
  return (
    <div className={form.page}>
      <h1>Use this address?</h1>
      <p className={form.lead}>
        Links to set a new password for the account <strong translate="no">{username}</strong>, and notices about it,
        will be sent to <strong translate="no">{address}</strong>. If that isn't your account, close this page.
      </p>
      <ActionButton
        as={SteadyButton}
        variant="filled"
        fullWidth
        action={verifyShownAddress}
        input={secret}
        onDone={(verified) => (verified ? onDone() : onBad())}
      >
        Verify this address
      </ActionButton>
    </div>
  );
}

/** Only the account's user may verify its address: the message may have reached somebody else. */
function SignInFirst({ username, address }: ShownAddress) {
  return (
    <div className={form.page}>
      <h1>Sign in first</h1>
      <p className={form.lead}>
        To verify <strong translate="no">{address}</strong>, sign in as <strong translate="no">{username}</strong> in
        this browser. Then open the link in the message again.
      </p>
      <LinkButton href="/signin?next=/account" fullWidth>
        Sign in
      </LinkButton>
      <p className={form.lead}>If that isn't your account, ignore the message.</p>
    </div>
  );
}

function Verified({ username, address }: ShownAddress) {
  return (
    <div className={form.page}>
      <h1>Address verified</h1>
      <p className={form.lead}>
        <strong translate="no">{address}</strong> now gets the messages of the account{" "}
        <strong translate="no">{username}</strong>.
      </p>
      <p className={form.lead}>
        <a href="/account">Go to your account</a>
      </p>
    </div>
  );
}
