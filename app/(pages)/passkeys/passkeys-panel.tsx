"use client";

import { useEffect, useRef, useState } from "react";
import rows from "@/components/content/facts.module.css";
import { LastUsed, When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { SteadyButton } from "@/components/controls/steady-button";
import { IconPlus } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { ListedPasskey } from "@/lib/accounts/passkeys/add";
import { ActionDialog } from "../action-dialog";
import { ActionButton } from "../action-form";
import { removeOwnPasskey, renameOwnPasskey } from "./actions";
import { createPasskey, NO_SUPPORT, passkeyAdded, signalPasskeys, useCanPasskeys } from "./ceremonies";
import styles from "./passkeys.module.css";

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
                <strong className={styles.name}>{passkey.name}</strong>
                <span className={rows.detail}>
                  Added <When at={passkey.createdAt} />, <LastUsed at={passkey.usedAt} precise />
                </span>
                {passkey.host !== host && (
                  <span className={rows.detail}>{`Belongs to ${passkey.host} and can't be used here`}</span>
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
      <p className={styles.soft}>
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
