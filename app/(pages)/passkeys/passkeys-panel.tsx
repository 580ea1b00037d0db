"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { IconPlus } from "@/components/icons";
import { Actions } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import rows from "@/components/row-list.module.css";
import { useToast } from "@/components/toast";
import { When } from "@/components/when";
import type { ListedPasskey } from "@/lib/accounts/passkeys/add";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { createPasskey } from "./ceremonies";
import styles from "./passkeys.module.css";
import { RemovePasskeyDialog } from "./remove-passkey-dialog";
import { RenamePasskeyDialog } from "./rename-passkey-dialog";

interface Props {
  passkeys: ListedPasskey[];
  /** The host of this address; null: passkeys cannot be used here. */
  host: string | null;
  /** Why not, and what to do. */
  why: string | null;
}

/** The user's passkeys, each with its name, and a way to add one. */
export function PasskeysPanel({ passkeys, host, why }: Props) {
  const { run, busy, error } = useAction();
  const [renaming, setRenaming] = useState<ListedPasskey | null>(null);
  const [removing, setRemoving] = useState<ListedPasskey | null>(null);
  const [removals, setRemovals] = useState(0);
  const addButton = useRef<HTMLButtonElement>(null);
  const toast = useToast();

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
        {why ?? "Sign in with your fingerprint, your face or your device's PIN instead of a password."}
      </p>
      <ErrorNotice error={error} />
      {host !== null && (
        <Actions>
          <Button
            ref={addButton}
            size="sm"
            variant="default"
            onClick={add}
            loading={busy}
            leftSection={<IconPlus size={16} />}
          >
            Add a passkey
          </Button>
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
