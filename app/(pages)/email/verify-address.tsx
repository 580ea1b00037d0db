"use client";

import { useState } from "react";
import { Button, LinkButton } from "@/components/button";
import form from "@/components/form.module.css";
import { ErrorNotice } from "../error-notice";
import { Step } from "../link/step";
import { BadLink } from "../one-time-link/bad-link";
import { FirstStep } from "../one-time-link/first-step";
import { linkSecret } from "../one-time-link/secret";
import { useAction } from "../use-action";
import { lookAtAddress, type ShownAddress, takeAddress } from "./actions";

/** Verifies an e-mail address with the link that was sent to it. */
export function VerifyAddress() {
  /** Undefined: nothing was pressed yet; null: the link cannot be used. */
  const [found, setFound] = useState<ShownAddress | null>();
  const [isDone, setDone] = useState(false);

  if (found === undefined)
    return (
      <Step name="first">
        <FirstStep
          title="Verify your e-mail address"
          lead="You opened a link from a message of this service. It works once."
          look={lookAtAddress}
          onLook={setFound}
        />
      </Step>
    );
  if (found === null)
    return (
      <Step name="bad">
        <BadLink>
          You can have another one sent on <a href="/account">your account's page</a>.
        </BadLink>
      </Step>
    );
  return (
    <Step name={isDone ? "done" : found.isYours ? "address" : "sign in"}>
      {isDone ? (
        <Verified {...found} />
      ) : found.isYours ? (
        <AddressStep {...found} onDone={setDone} onBad={() => setFound(null)} />
      ) : (
        <SignInFirst {...found} />
      )}
    </Step>
  );
}

interface AddressStepProps extends ShownAddress {
  onDone: (isDone: true) => void;
  onBad: () => void;
}

function AddressStep({ username, address, onDone, onBad }: AddressStepProps) {
  const { run, busy, error } = useAction();

  async function press() {
    const taken = await run(() => takeAddress(linkSecret()));
    if (!taken) return;
    if (taken.ok) onDone(true);
    else onBad();
  }

  return (
    <div className={form.page}>
      <h1>Use this address?</h1>
      <p className={form.lead}>
        Links to set a new password for the account <strong>{username}</strong>, and notices about it, will be sent to{" "}
        <strong>{address}</strong>. If that isn't your account, close this page.
      </p>
      <ErrorNotice error={error} />
      <Button onClick={press} loading={busy} fullWidth>
        Verify this address
      </Button>
    </div>
  );
}

/** Only the account's user may verify its address: the message may have reached somebody else. */
function SignInFirst({ username, address }: ShownAddress) {
  return (
    <div className={form.page}>
      <h1>Sign in first</h1>
      <p className={form.lead}>
        To verify <strong>{address}</strong>, sign in as <strong>{username}</strong> in this browser. Then open the link
        in the message again.
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
        <strong>{address}</strong> now gets the messages of the account <strong>{username}</strong>.
      </p>
      <p className={form.lead}>
        <a href="/account">Go to your account</a>
      </p>
    </div>
  );
}
