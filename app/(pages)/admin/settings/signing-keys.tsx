"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { useToast } from "@/components/feedback/toast";
import { Actions, Panel } from "@/components/frame/panel";
import { ConfirmDialog } from "../../confirm-dialog";
import { createSigningKey } from "./actions";
import styles from "./settings.module.css";

/** What signs validators and proofs, and the button that replaces it. */
export function SigningKeys() {
  const [isOpen, setOpen] = useState(false);
  const showToast = useToast();
  return (
    <Panel id="signing-keys" title="Signing keys">
      <p className={styles.words}>
        The service signs who a user is, and which keys they hold, so that others can verify it. The public keys are at{" "}
        <a href="/.well-known/jwks.json" translate="no">
          /.well-known/jwks.json
        </a>
        .
      </p>
      <Actions>
        <Button variant="default" onClick={() => setOpen(true)}>
          Create a new signing key
        </Button>
      </Actions>
      <ConfirmDialog
        opened={isOpen}
        title="Create a new signing key?"
        confirm="Create key"
        action={createSigningKey}
        onClose={() => setOpen(false)}
        onDone={() => showToast({ text: "A new key signs from now on." })}
      >
        <p>
          It signs who a user is. Which keys users hold is signed with the oldest key, so that no program that checks
          licences offline is locked out; they learn the new one meanwhile. A former key ends with the admin command{" "}
          <code translate="no">signing:retire</code>. This can't be undone.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
