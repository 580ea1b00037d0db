"use client";

import { useEffect, useRef, useState } from "react";
import rows from "@/components/content/facts.module.css";
import { RelativeTime, When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { useToast } from "@/components/feedback/toast";
import { IconPlus } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { ListedPasskey } from "@/lib/accounts/passkeys/add";
import { ConfirmDialog } from "../confirm-dialog";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { removeOwnPasskey, renameOwnPasskey } from "./actions";
import { createPasskey, NO_SUPPORT, signalPasskeys, useCanPasskeys } from "./ceremonies";
import styles from "./passkeys.module.css";

interface RemovePasskeyDialogProps {
  /** The passkey in question; null: none. */
  passkey: ListedPasskey | null;
  onClose: () => void;
  /** Gets the name of what was removed. */
  onRemoved: (name: string) => void;
}

/** Asks before a passkey is removed. */
function RemovePasskeyDialog({ passkey, onClose, onRemoved }: RemovePasskeyDialogProps) {
  return (
    <ConfirmDialog
      opened={passkey !== null}
      title={`Remove ${passkey?.name}?`}
      confirm="Remove"
      action={() => removeOwnPasskey(String(passkey?.id))}
      onClose={onClose}
      onDone={onRemoved}
    >
      <p>
        It no longer signs you in. Browsers where you're signed in stay signed in. Your device may keep offering it
        until you delete it there too.
      </p>
    </ConfirmDialog>
  );
}

interface RenamePasskeyDialogProps {
  /** The passkey in question; null: none. */
  passkey: ListedPasskey | null;
  onClose: () => void;
  /** Gets the new name. */
  onRenamed: (name: string) => void;
}

/** Asks for another name of a passkey. */
function RenamePasskeyDialog({ passkey, onClose, onRenamed }: RenamePasskeyDialogProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();

  async function submit(fields: FormData) {
    const renamed = passkey && (await run(renameOwnPasskey, { id: passkey.id, name: String(fields.get("name")) }));
    if (!renamed) return;
    close();
    onRenamed(renamed.ok);
  }

  function close() {
    clear();
    onClose();
  }

  return (
    <Dialog opened={passkey !== null} onClose={close} title="Rename the passkey">
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
        <TextInput
          key={passkey?.id}
          label="Name"
          name="name"
          description="How you recognise it: your phone, your laptop, a security key."
          defaultValue={passkey?.name}
          autoComplete="off"
          required
          error={errorAt("name")}
        />
        <ErrorNotice error={error} />
        <Actions>
          <Button type="submit" loading={busy}>
            Rename
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Actions>
      </Form>
    </Dialog>
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
  const { run, busy, error } = useAction();
  const [renaming, setRenaming] = useState<ListedPasskey | null>(null);
  const [removing, setRemoving] = useState<ListedPasskey | null>(null);
  const [removals, setRemovals] = useState(0);
  const addButton = useRef<HTMLButtonElement>(null);
  const toast = useToast();

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

  async function add() {
    const added = await run(createPasskey);
    if (added) toast({ text: `${added.ok} has been added. You can now sign in with it.` });
  }

  function removed(name: string) {
    setRemovals(removals + 1);
    toast({ text: `${name} has been removed. It no longer signs you in.` });
  }

  return (
    <>
      {passkeys.length > 0 && (
        <ul className={rows.list}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span>
                <strong className={styles.name}>{passkey.name}</strong>
                <span className={rows.detail}>
                  Added <When at={passkey.createdAt} />,{" "}
                  {passkey.usedAt ? (
                    <span>
                      last used <RelativeTime at={passkey.usedAt} precise />
                    </span>
                  ) : (
                    <span>never used</span>
                  )}
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
      <ErrorNotice error={error} />
      {host !== null && canPasskeys && (
        <Actions>
          <SteadyButton
            ref={addButton}
            size="sm"
            variant="default"
            onClick={add}
            loading={busy}
            leftSection={<IconPlus size={16} />}
          >
            Add a passkey
          </SteadyButton>
        </Actions>
      )}
      <RenamePasskeyDialog
        passkey={renaming}
        onClose={() => setRenaming(null)}
        onRenamed={(name) => toast({ text: `The passkey is now called ${name}.` })}
      />
      <RemovePasskeyDialog passkey={removing} onClose={() => setRemoving(null)} onRemoved={removed} />
    </>
  );
}
