"use client";

import { useState } from "react";
import { Checkbox } from "@/components/checkbox";
import { IconFingerprint } from "@/components/icons";
import form from "@/components/page.module.css";
import { SteadyButton } from "@/components/steady-button";
import { LastUsed, When } from "@/components/time";
import type { Endings, RecoveryProof } from "@/lib/accounts/ways-in/recovery/recover";
import type { RecoveryEffects } from "@/lib/user-data/recovery-effects";
import { NewPasswordInput } from "../_signing-in/new-password-input";
import { signInWithPasskey, useCanPasskeys, webauthn } from "../_signing-in/passkeys";
import { signInWithPassword } from "../_signing-in/sign-in";
import styles from "../_signing-in/signing-in.module.css";
import type { Outcome } from "../action";
import { ActionButton, ActionForm, type FieldText, Submit } from "../action-form";
import { leaveFor } from "../use-action";
import { optionsToRecover, recoverWithPasskey, recoverWithPassword } from "./actions";

const inWords = new Intl.ListFormat("en");

/** Lets the user end what somebody else may have: passkeys, providers, the e-mail address and the account's token. */
function EndingsFields({ passkeys, providers, email, programs }: Omit<RecoveryEffects, "username">) {
  const [alsoToken, setAlsoToken] = useState(false);
  return (
    <>
      {passkeys.length > 0 && (
        <div className={styles.ending}>
          <Checkbox
            size="md"
            name="endPasskeys"
            label={passkeys.length === 1 ? "Remove this passkey" : "Remove these passkeys"}
            description={
              passkeys.length === 1
                ? "Keep it only if it's yours: someone else may have added it."
                : "Keep them only if you know them all: someone else may have added one."
            }
            defaultChecked
          />
          <ul className={styles.names}>
            {passkeys.map(({ id, name, createdAt, usedAt }) => (
              <li key={id}>
                <strong translate="no">{name}</strong>, added <When at={createdAt} />, <LastUsed at={usedAt} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {providers.length > 0 && (
        <div className={styles.ending}>
          <Checkbox
            size="md"
            name="endProviders"
            label={`Disconnect ${inWords.format(providers)}`}
            description="Someone else may have connected it. You can connect yours again later."
            defaultChecked
          />
        </div>
      )}
      {email !== null && (
        <div className={styles.ending}>
          <Checkbox
            size="md"
            name="endEmail"
            label={`Remove ${email}`}
            description="Keep it only if it's yours: it gets links that set a new password."
            defaultChecked
          />
        </div>
      )}
      <div className={styles.ending}>
        <Checkbox
          size="md"
          name="endToken"
          label="Also rotate my token"
          description="Do this if someone else may have it. A new password alone doesn't stop programs."
          checked={alsoToken}
          onChange={(event) => setAlsoToken(event.currentTarget.checked)}
        />
        {alsoToken && <Stopping {...programs} />}
      </div>
    </>
  );
}

function Stopping({ names, more }: RecoveryEffects["programs"]) {
  return (
    <div className={styles.names}>
      <p>
        Your current token stops working.
        {names.length > 0 && <span> These programs lose access until you link them again:</span>}
      </p>
      {names.length > 0 && (
        <ul className={styles.names}>
          {names.map((name) => (
            <li key={name}>
              <strong translate="no">{name}</strong>
            </li>
          ))}
          {more > 0 && <li>{`and ${more} more`}</li>}
        </ul>
      )}
      <p>Programs with tokens of their own keep working.</p>
    </div>
  );
}

interface Props extends RecoveryEffects {
  proof: RecoveryProof;
  /** Browsers have passkeys at this address. */
  hasPasskeys: boolean;
  /** The link cannot be used any more. */
  onBad: () => void;
}

/** Sets a new password, or creates a passkey instead, for a user who proved whose account it is; and signs in. */
export function NewSignInMethodForm({
  proof,
  username,
  passkeys,
  providers,
  email,
  programs,
  hasPasskeys,
  onBad,
}: Props) {
  const canPasskeys = useCanPasskeys();

  async function setPassword(change: { password: string; endings: Endings }): Promise<Outcome<void>> {
    const outcome = await recoverWithPassword({ proof, ...change });
    return "error" in outcome ? outcome : arrive(outcome.ok, () => signInWithPassword({ username, ...change }));
  }

  async function createPasskey(endings: Endings): Promise<Outcome<void>> {
    const outcome = await createRecoveryPasskey(proof, endings);
    return "error" in outcome ? outcome : arrive(outcome.ok, signInWithPasskey);
  }

  /** `recovered` is null for a link that cannot be used. */
  async function arrive(recovered: object | null, signIn: typeof signInWithPasskey): Promise<Outcome<void>> {
    if (recovered === null) onBad();
    else {
      const isSignedIn = await signIn().then(
        (signedIn) => "ok" in signedIn,
        () => false,
      );
      await leaveFor(isSignedIn ? "/account" : "/signin?next=/account");
    }
    return { ok: undefined };
  }

  return (
    <div className={form.page}>
      <h1>Set a new password</h1>
      <p className="soft">
        For the account <strong translate="no">{username}</strong>. All browsers will be signed out
        <span>{proof.through === "link" && ", and earlier recovery codes stop working"}</span>.
      </p>
      <ActionForm action={setPassword} input={(text) => ({ password: text("password"), endings: endingsOf(text) })}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordInput label="New password" advice="Long beats complicated." />
        <EndingsFields passkeys={passkeys} providers={providers} email={email} programs={programs} />
        <Submit as={SteadyButton} fullWidth>
          Set password
        </Submit>
        {hasPasskeys && canPasskeys && (
          <ActionButton
            as={SteadyButton}
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            action={createPasskey}
            input={endingsOf}
          >
            Use a passkey instead
          </ActionButton>
        )}
      </ActionForm>
    </div>
  );
}

const endingsOf = (text: FieldText): Endings => ({
  passkeys: text("endPasskeys") !== "",
  providers: text("endProviders") !== "",
  email: text("endEmail") !== "",
  token: text("endToken") !== "",
});

/** Creates the passkey of a user who comes back, in place of the password. Null for a link that cannot be used. */
async function createRecoveryPasskey(
  proof: RecoveryProof,
  endings: Endings,
): Promise<Outcome<{ username: string } | null>> {
  const requested = await optionsToRecover({ proof, replacesAll: endings.passkeys });
  if ("error" in requested) return requested;
  if (requested.ok === null) return { ok: null };
  return (await webauthn()).createAndStore(requested.ok, (response) =>
    recoverWithPasskey({ proof, response, endings }),
  );
}
