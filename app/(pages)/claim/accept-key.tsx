"use client";

import { useState } from "react";
import { LinkButton } from "@/components/buttons";
import { Actions, MessagePage } from "@/components/page";
import form from "@/components/page.module.css";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import type { Claimed, ClaimPreview } from "@/lib/keys/claims/accept";
import { DataPanel } from "../_keys/data-panel";
import { claimSecret, forgetClaimSecret, hasStoredClaim, keepClaimSecret } from "../_signing-in/kept-input";
import { OneTimeLink } from "../_signing-in/one-time-link";
import { ActionButton } from "../action-form";
import { OfAUser } from "../names";
import { withNext } from "../next-path";
import { claimKey, previewClaim } from "./actions";

/** Says what may be wrong with a claim link, not which it is: guessing shows nothing. */
function BadClaim() {
  return (
    <MessagePage
      title="This link doesn't work"
      text="It may have expired, been ended, or been used by someone else. The address may also be incomplete."
    >
      <p className="soft">Ask the person or shop that gave it to you for a new one.</p>
      <p className="soft">
        Already accepted it? <a href="/keys?list=given">Keys from others</a>
      </p>
    </MessagePage>
  );
}

interface AcceptKeyProps {
  /** Null: signed out. */
  username: string | null;
  signUpOpen: boolean;
}

/** Shows what a claim link gives, and from whom, and gives it to a signed-in person who accepts. */
export function AcceptKey(props: AcceptKeyProps) {
  return (
    <OneTimeLink
      title="Someone has a key for you"
      lead="Continue to see what it is and who it's from. Nothing is accepted yet."
      preview={previewClaim}
      secretOf={claimSecret}
      isBegun={hasStoredClaim}
      bad={<BadClaim />}
    >
      {(offered, secret, onBad) => <Offer {...props} offered={offered} secret={secret} onBad={onBad} />}
    </OneTimeLink>
  );
}

interface OfferProps extends AcceptKeyProps {
  offered: ClaimPreview;
  /** Of the link that offers it. */
  secret: string;
  onBad: () => void;
}

function Offer({ username, signUpOpen, offered, secret, onBad }: OfferProps) {
  const [claimed, setClaimed] = useState<Claimed | null>(null);
  const { keyId, name, creator, days, isClaimed } = offered;
  const page = `/keys?key=${keyId}`;

  function accepted(claimed: Claimed | null) {
    if (!claimed) return onBad();
    forgetClaimSecret();
    setClaimed(claimed);
  }

  if (claimed) return <Accepted {...claimed} name={name} />;

  return (
    <div className={form.page}>
      <h1>
        <bdi translate="no">{name.trim() || "Unnamed key"}</bdi>
      </h1>
      <p className="soft">
        A key from <strong translate="no">{creator}</strong>
        <OfAUser name={creator} />. <span>{lasts(days)}</span> Its holders can read its secret, and programs are told
        that they hold it. <span translate="no">{creator}</span> sees who accepted.
      </p>
      {isClaimed ? (
        <>
          <p className="soft">You've already used this link.</p>
          <LinkButton href={page} fullWidth>
            Open the key
          </LinkButton>
        </>
      ) : username === null ? (
        <>
          <p className="soft">To accept it, you need an account here.</p>
          <Actions>
            <LinkButton href={withNext("/signin", "/claim")} onClick={() => keepClaimSecret(secret)}>
              Sign in
            </LinkButton>
            {signUpOpen && (
              <LinkButton
                variant="default"
                href={withNext("/signup", "/claim")}
                onClick={() => keepClaimSecret(secret)}
              >
                Sign up
              </LinkButton>
            )}
          </Actions>
        </>
      ) : (
        <>
          <p className="soft">
            You're signed in as <strong translate="no">{username}</strong>.
          </p>
          <ActionButton as={SteadyButton} variant="filled" fullWidth action={claimKey} input={secret} onDone={accepted}>
            Accept
          </ActionButton>
        </>
      )}
    </div>
  );
}

/** What the person now has, with the secret at a press. */
function Accepted({ keyId, name, until }: Claimed & { name: string }) {
  return (
    <div className={form.page}>
      <h1>
        You now have <bdi translate="no">{name.trim() || "the key"}</bdi>
      </h1>
      {until && (
        <p className="soft">
          Your access ends on <When at={until} precise />.
        </p>
      )}
      <DataPanel keyId={keyId} holds changeable={false} />
      <a href={`/keys?key=${keyId}`}>Open the key</a>
    </div>
  );
}

function lasts(days: number | null): string {
  if (days === null) return "Access never expires.";
  const time = days === 1 ? "1 day" : `${days.toLocaleString("en")} days`;
  return `Access lasts ${time} from when you accept. If you already hold the key, this extends it by ${time}.`;
}
