"use client";

import { useState } from "react";
import { LinkButton } from "@/components/buttons";
import form from "@/components/page.module.css";
import { SteadyButton } from "@/components/steady-button";
import { Step } from "@/components/step";
import { BadLink, OneTimeLink } from "../_signing-in/one-time-link";
import { ActionButton } from "../action-form";
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
        shown.isYours ? <AddressStep {...shown} secret={secret} onBad={onBad} /> : <SignInFirst {...shown} />
      }
    </OneTimeLink>
  );
}

interface AddressStepProps extends ShownAddress {
  /** Of the link that was sent to it. */
  secret: string;
  onBad: () => void;
}

function AddressStep({ secret, onBad, ...shown }: AddressStepProps) {
  const [isDone, setDone] = useState(false);
  return (
    <Step name={isDone ? "done" : "address"}>
      {isDone ? (
        <Verified {...shown} />
      ) : (
        <div className={form.page}>
          <h1>Use this address?</h1>
          <p className="soft">
            Links to set a new password for the account <strong translate="no">{shown.username}</strong>, and notices
            about it, will be sent to <strong translate="no">{shown.address}</strong>. If that isn't your account, close
            this page.
          </p>
          <ActionButton
            as={SteadyButton}
            variant="filled"
            fullWidth
            action={verifyShownAddress}
            input={secret}
            onDone={(verified) => (verified ? setDone(true) : onBad())}
          >
            Verify this address
          </ActionButton>
        </div>
      )}
    </Step>
  );
}

/** Only the account's user may verify its address: the message may have reached somebody else. */
function SignInFirst({ username, address }: ShownAddress) {
  return (
    <div className={form.page}>
      <h1>Sign in first</h1>
      <p className="soft">
        To verify <strong translate="no">{address}</strong>, sign in as <strong translate="no">{username}</strong> in
        this browser. Then open the link in the message again.
      </p>
      <LinkButton href="/signin?next=/account" fullWidth>
        Sign in
      </LinkButton>
      <p className="soft">If that isn't your account, ignore the message.</p>
    </div>
  );
}

function Verified({ username, address }: ShownAddress) {
  return (
    <div className={form.page}>
      <h1>Address verified</h1>
      <p className="soft">
        <strong translate="no">{address}</strong> now gets the messages of the account{" "}
        <strong translate="no">{username}</strong>.
      </p>
      <p className="soft">
        <a href="/account">Go to your account</a>
      </p>
    </div>
  );
}
