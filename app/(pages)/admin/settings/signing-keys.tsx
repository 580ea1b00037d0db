"use client";

import { Actions, Panel } from "@/components/page";
import { AskButton } from "../../action-dialog";
import { createSigningKey } from "../actions";
import styles from "./settings.module.css";

/** What signs validators and proofs, and the button that replaces it. */
export function SigningKeys() {
  return (
    <Panel id="signing-keys" title="Signing keys">
      <p className={`small ${styles.words}`}>
        The service signs who a user is, and which keys they hold, so that others can verify it. The public keys are at{" "}
        <a href="/.well-known/jwks.json" translate="no">
          /.well-known/jwks.json
        </a>
        .
      </p>
      <Actions>
        <AskButton
          button={{ size: "md", children: "Create a new signing key" }}
          title="Create a new signing key?"
          submit="Create key"
          color="red"
          action={createSigningKey}
          done="A new key signs from now on."
        >
          <p>
            It signs who a user is. Which keys users hold is signed with the oldest key, so that no program that checks
            licences offline is locked out; they learn the new one meanwhile. A former key ends with the admin command{" "}
            <code translate="no">signing:retire</code>. This can't be undone.
          </p>
        </AskButton>
      </Actions>
    </Panel>
  );
}
