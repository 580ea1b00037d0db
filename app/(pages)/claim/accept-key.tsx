"use client";

import { useState } from "react";
import { Button, LinkButton } from "@/components/button";
import form from "@/components/form.module.css";
import { Actions } from "@/components/panel";
import type { Offered } from "@/lib/keys/claims/claim";
import { ErrorNotice } from "../error-notice";
import { Step } from "../link/step";
import { withNext } from "../next-path";
import { OfAUser } from "../of-a-user";
import { useAction } from "../use-action";
import { lookAtClaim, takeKey } from "./actions";
import { BadClaim } from "./bad-claim";
import { claimSecret, forgetClaimSecret, keepClaimSecret } from "./claim-secret";

interface AcceptKeyProps {
  /** Null: signed out. */
  username: string | null;
  signUpOpen: boolean;
}

/** Shows what a claim link gives, and from whom, and gives it to a signed-in person who accepts. */
export function AcceptKey(props: AcceptKeyProps) {
  const { run, busy, error } = useAction();
  /** Undefined: nothing was pressed yet; null: the link cannot be used. */
  const [offered, setOffered] = useState<Offered | null>();

  async function look() {
    const found = await run(() => lookAtClaim(claimSecret()));
    if (found) setOffered(found.ok);
  }

  if (offered === undefined)
    // The page as a preview or a scanner sees it: only a press sends the link's secret.
    return (
      <Step name="first">
        <div className={form.page}>
          <h1>Someone has a key for you</h1>
          <p className={form.lead}>Continue to see what it is and who it's from. Nothing is accepted yet.</p>
          <ErrorNotice error={error} />
          <Button onClick={look} loading={busy} fullWidth>
            Continue
          </Button>
        </div>
      </Step>
    );
  return (
    <Step name={offered === null ? "bad" : "offer"}>
      {offered === null ? <BadClaim /> : <Offer {...props} offered={offered} onBad={() => setOffered(null)} />}
    </Step>
  );
}

function Offer({ username, signUpOpen, offered, onBad }: AcceptKeyProps & { offered: Offered; onBad: () => void }) {
  const { run, busy, error } = useAction();
  const [leaving, setLeaving] = useState(false);
  const { keyId, name, creator, days, isClaimed } = offered;
  const page = `/keys?key=${keyId}`;

  async function accept() {
    const taken = await run(() => takeKey(claimSecret()));
    if (!taken) return;
    if (!taken.ok) return onBad();
    setLeaving(true);
    forgetClaimSecret();
    window.location.assign(page);
  }

  return (
    <div className={form.page}>
      <h1>
        <bdi>{name.trim() || "A key without a name"}</bdi>
      </h1>
      <p className={form.lead}>
        A key from <strong>{creator}</strong>
        <OfAUser name={creator} />. {lasts(days)} Its holders can read its data, and programs are told that they hold
        it. {creator} sees who accepted.
      </p>
      {isClaimed ? (
        <>
          <p className={form.lead}>You have already accepted with this link.</p>
          <LinkButton href={page} fullWidth>
            Open the key
          </LinkButton>
        </>
      ) : username === null ? (
        <>
          <p className={form.lead}>To accept it, you need an account here.</p>
          <Actions>
            <LinkButton href={withNext("/signin", "/claim")} onClick={keepClaimSecret}>
              Sign in
            </LinkButton>
            {signUpOpen && (
              <LinkButton variant="default" href={withNext("/signup", "/claim")} onClick={keepClaimSecret}>
                Create an account
              </LinkButton>
            )}
          </Actions>
        </>
      ) : (
        <>
          <p className={form.lead}>
            You're signed in as <strong>{username}</strong>.
          </p>
          <ErrorNotice error={error} />
          <Button onClick={accept} loading={busy || leaving} fullWidth>
            Accept
          </Button>
        </>
      )}
    </div>
  );
}

function lasts(days: number | null): string {
  if (days === null) return "Access has no end.";
  const time = days === 1 ? "1 day" : `${days.toLocaleString("en")} days`;
  return `Access lasts ${time} from when you accept, or is extended by that.`;
}
