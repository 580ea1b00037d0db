"use client";

import { useState } from "react";
import { RelativeTime, When } from "@/components/content/time";
import { Checkbox } from "@/components/controls/checkbox";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import { IconFingerprint } from "@/components/frame/icons";
import type { Endings, RecoveryProof } from "@/lib/accounts/recovery/recover";
import type { RecoveryEffects } from "@/lib/user-data/overview";
import type { Outcome } from "../action";
import { ErrorNotice } from "../error-notice";
import { NewPasswordInput } from "../new-password-input";
import { signInWithPasskey, useCanPasskeys, webauthn } from "../passkeys/ceremonies";
import { signInWithPassword } from "../signin/sign-in";
import { useAction } from "../use-action";
import { optionsToRecover, recoverWithPasskey, recoverWithPassword } from "./actions";
import styles from "./new-sign-in-method.module.css";

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
                <strong translate="no">{name}</strong>, added <When at={createdAt} />,{" "}
                <span>{usedAt ? "last used " : "never used"}</span>
                {usedAt && <RelativeTime at={usedAt} />}
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
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [leaving, setLeaving] = useState(false);
  const canPasskeys = useCanPasskeys();

  async function submit(fields: FormData) {
    const password = String(fields.get("password"));
    const set = await run(recoverWithPassword, { proof, password, endings: endingsOf(fields) });
    if (set) await arrive(set.ok !== null, () => signInWithPassword(username, password));
  }

  async function submitPasskey(fields: FormData) {
    const set = await run(() => createRecoveryPasskey(proof, endingsOf(fields)));
    if (set) await arrive(set.ok !== null, signInWithPasskey);
  }

  async function arrive(isSet: boolean, signIn: typeof signInWithPasskey) {
    if (!isSet) return onBad();
    setLeaving(true);
    const isSignedIn = await signIn().then(
      (signedIn) => "ok" in signedIn,
      () => false,
    );
    window.location.assign(isSignedIn ? "/account" : "/signin?next=/account");
  }

  return (
    <div className={form.page}>
      <h1>Set a new password</h1>
      <p className={form.lead}>
        For the account <strong translate="no">{username}</strong>. All browsers will be signed out
        <span>{proof.through === "link" && ", and earlier recovery codes stop working"}</span>.
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordInput
          label="New password"
          name="password"
          advice="Long beats complicated."
          error={errorAt("password")}
        />
        <EndingsFields passkeys={passkeys} providers={providers} email={email} programs={programs} />
        <ErrorNotice error={error || (errorAt("code") ?? "")} />
        <SteadyButton type="submit" loading={busy || leaving} fullWidth>
          Set password
        </SteadyButton>
        {hasPasskeys && canPasskeys && (
          <SteadyButton
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            disabled={busy || leaving}
            onClick={({ currentTarget: { form: own } }) => own && submitPasskey(new FormData(own))}
          >
            Use a passkey instead
          </SteadyButton>
        )}
      </Form>
    </div>
  );
}

const endingsOf = (fields: FormData): Endings => ({
  passkeys: fields.has("endPasskeys"),
  providers: fields.has("endProviders"),
  email: fields.has("endEmail"),
  token: fields.has("endToken"),
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
