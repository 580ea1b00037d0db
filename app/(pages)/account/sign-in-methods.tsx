"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import rows from "@/components/content.module.css";
import { Notice } from "@/components/feedback";
import { PasswordField, TextInput } from "@/components/form";
import { IconPlus } from "@/components/icons";
import { Actions } from "@/components/page";
import { RotationEffects } from "@/components/rotation-effects";
import { SteadyButton } from "@/components/steady-button";
import { LastUsed, When } from "@/components/time";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { ListedPasskey } from "@/lib/accounts/ways-in/passkeys/list";
import type { LinkedProgram } from "@/lib/link/list";
import { NewPasswordInput } from "../_signing-in/new-password-input";
import { removeOwnPasskey, renameOwnPasskey } from "../_signing-in/passkey-actions";
import { createPasskey, NO_SUPPORT, passkeyAdded, signalPasskeys, useCanPasskeys } from "../_signing-in/passkeys";
import { goToProvider } from "../_signing-in/sign-in";
import type { Outcome } from "../action";
import { ActionDialog } from "../action-dialog";
import { ActionButton, ActionError, ActionForm, ActionGroup, Submit } from "../action-form";
import { connect, disconnect, replacePassword } from "./actions";
import styles from "./page.module.css";

interface PasswordFormProps {
  username: string;
  needsCurrent: boolean;
  /** The programs that stop if the token is replaced too. */
  programs: LinkedProgram[];
  /** The tokens of programs' own, which go on. */
  tokens: ListedToken[];
}

/** Changes the password, or sets the first one. A user who fears a thief can replace the token in the same step. */
export function PasswordForm({ username, needsCurrent, programs, tokens }: PasswordFormProps) {
  const [changes, setChanges] = useState(0);
  const [alsoToken, setAlsoToken] = useState(false);

  const done =
    `Password ${needsCurrent ? "changed" : "set"}. All other browsers have been signed out.` +
    (alsoToken ? " Your token has been rotated; the old one no longer works." : "");

  function empty() {
    setChanges(changes + 1);
    setAlsoToken(false);
  }

  return (
    <ActionForm
      action={replacePassword}
      input={(text) => ({ current: text("current"), next: text("password"), alsoToken })}
      done={done}
      onDone={empty}
      className={`stack ${styles.form}`}
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {needsCurrent && (
        <PasswordField
          key={`current ${changes}`}
          label="Current password"
          name="current"
          autoComplete="current-password"
        />
      )}
      <NewPasswordInput key={`new ${changes}`} label="New password" advice="Signs out all other browsers." />
      <Checkbox
        size="md"
        label="Also rotate my token"
        description="A new password alone doesn't stop programs."
        checked={alsoToken}
        onChange={(event) => setAlsoToken(event.currentTarget.checked)}
      />
      {alsoToken && (
        <div className="stack">
          <p>Your current token stops working. If you've pasted it anywhere, replace it there.</p>
          <RotationEffects programs={programs} tokens={tokens} />
        </div>
      )}
      <Submit size="sm">{needsCurrent ? "Change password" : "Set password"}</Submit>
    </ActionForm>
  );
}

interface DialogProps {
  passkey: ListedPasskey;
  onClose: () => void;
}

/** Asks before a passkey is removed. */
function RemovePasskeyDialog({ passkey: { id, name }, onRemoved, ...dialog }: DialogProps & { onRemoved: () => void }) {
  return (
    <ActionDialog
      title={`Remove ${name}?`}
      submit="Remove"
      color="red"
      action={removeOwnPasskey}
      input={() => id}
      done={`${name} has been removed. It no longer signs you in.`}
      onDone={onRemoved}
      {...dialog}
    >
      <p>
        It no longer signs you in. Browsers where you're signed in stay signed in. Your device may keep offering it
        until you delete it there too.
      </p>
    </ActionDialog>
  );
}

/** Asks for another name of a passkey. */
function RenamePasskeyDialog({ passkey: { id, name }, ...dialog }: DialogProps) {
  return (
    <ActionDialog
      title="Rename the passkey"
      submit="Rename"
      as={Button}
      action={renameOwnPasskey}
      input={{ id }}
      done={(renamed) => `The passkey is now called ${renamed}.`}
      {...dialog}
    >
      <TextInput
        label="Name"
        name="name"
        description="How you recognise it: your phone, your laptop, a security key."
        defaultValue={name}
        autoComplete="off"
        required
      />
    </ActionDialog>
  );
}

interface PasskeysPanelProps {
  passkeys: ListedPasskey[];
  /** The host of this address; null: passkeys cannot be used here. */
  host: string | null;
  /** Why not, and what to do. */
  why: string | null;
}

/** The user's passkeys, each with its name, and a way to add one. */
export function PasskeysPanel({ passkeys, host, why }: PasskeysPanelProps) {
  const [renaming, setRenaming] = useState<ListedPasskey | null>(null);
  const [removing, setRemoving] = useState<ListedPasskey | null>(null);
  const [removals, setRemovals] = useState(0);
  const addButton = useRef<HTMLButtonElement>(null);

  const canPasskeys = useCanPasskeys();

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of them.
  useEffect(() => {
    // A browser that is not told now is told the next time.
    if (host !== null && canPasskeys) signalPasskeys().catch(() => {});
  }, [passkeys, host, canPasskeys]);

  // The pressed button has disappeared, and the keyboard focus with it.
  useEffect(() => {
    if (removals > 0) addButton.current?.focus();
  }, [removals]);

  return (
    <>
      {passkeys.length > 0 && (
        <ul className={rows.list}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                <strong>{passkey.name}</strong>
                <span className="detail">
                  Added <When at={passkey.createdAt} />, <LastUsed at={passkey.usedAt} precise />
                </span>
                {passkey.host !== host && (
                  <span className="detail">{`Belongs to ${passkey.host} and can't be used here`}</span>
                )}
              </span>
              <span className={styles.buttons}>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => setRenaming(passkey)}
                >
                  Rename
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setRemoving(passkey)}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="soft">
        {why ?? (canPasskeys ? "Sign in with your fingerprint, face or PIN instead of a password." : NO_SUPPORT)}
      </p>
      {host !== null && canPasskeys && (
        <Actions>
          <ActionButton
            as={SteadyButton}
            ref={addButton}
            size="sm"
            action={createPasskey}
            done={passkeyAdded}
            leftSection={<IconPlus size={16} />}
          >
            Add a passkey
          </ActionButton>
        </Actions>
      )}
      {renaming && <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing && (
        <RemovePasskeyDialog
          passkey={removing}
          onRemoved={() => setRemovals(removals + 1)}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}

interface Provider {
  id: string;
  name: string;
  connected: boolean;
}

/** By the result in the address, where anybody can write any other. */
const NOT_CONNECTED = new Map([
  ["taken", "That account is already connected to another user. Nothing was changed."],
  ["failed", "The account couldn't be connected. Nothing was changed. Try again in a moment."],
]);

/**
 * The providers that can sign this user in, and those not connected yet. `result`: the result of returning from one.
 */
export function ProviderList({ providers, result }: { providers: Provider[]; result?: string }) {
  const [arrived, setArrived] = useState(result);
  return (
    <ActionGroup problem={NOT_CONNECTED.get(result ?? "")}>
      <ul className={rows.list}>
        {providers.map(({ id, name, connected }) => (
          <li key={id}>
            <span>
              <span translate="no">{name}</span>
              {connected && <span className="detail">Connected</span>}
            </span>
            <ActionButton
              as={SteadyButton}
              size="sm"
              action={connected ? disconnect : connectThere}
              input={id}
              done={connected ? `${name} disconnected. You can no longer sign in with it.` : ""}
              onDone={() => setArrived(undefined)}
              aria-label={`${connected ? "Disconnect" : "Connect"} ${name}`}
            >
              {connected ? "Disconnect" : "Connect"}
            </ActionButton>
          </li>
        ))}
      </ul>
      <ActionError />
      <Notice kind="done">{arrived === "yes" && "Connected. You can now sign in with it."}</Notice>
    </ActionGroup>
  );
}

/** Leaves for the provider. */
async function connectThere(id: string): Promise<Outcome<void>> {
  const outcome = await connect(id);
  return "error" in outcome ? outcome : goToProvider(id, "/account");
}
