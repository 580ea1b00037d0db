"use client";

import { useState } from "react";
import { ACCESS_WORDS } from "@/components/access-words";
import { Button } from "@/components/button";
import { Choices } from "@/components/choices";
import { CopyButton } from "@/components/copy-button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import { ACCESSES } from "@/lib/platform/access";
import { ErrorNotice } from "../error-notice";
import { ENDS } from "../token-ends";
import { useAction } from "../use-action";
import { createOwnToken, type NewToken } from "./actions";
import styles from "./page.module.css";

/** Asks for a new token's name, access and end, creates it, and shows it this once. */
export function NewTokenDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewToken | null>(null);
  const [visit, setVisit] = useState(0);

  function close() {
    setMade(null);
    setVisit(visit + 1);
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={close} title={made ? `Token of ${made.name}` : "New token"}>
      {made ? (
        <ShownOnce token={made.text} onDone={close} />
      ) : (
        <NewTokenForm key={visit} onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  );
}

function NewTokenForm({ onMade, onCancel }: { onMade: (token: NewToken) => void; onCancel: () => void }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();

  async function submit(fields: FormData) {
    const made = await run(() => createOwnToken(Object.fromEntries(fields)));
    if (made) onMade(made.ok);
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
      <TextInput
        label="Name"
        name="name"
        description="Which program it is for."
        autoComplete="off"
        required
        error={errorAt("name")}
      />
      <Choices
        name="access"
        legend="What it may do"
        initial="read"
        choices={ACCESSES.toReversed().map((access) => ({ value: access, label: ACCESS_WORDS[access] }))}
      />
      <Choices name="ends" legend="Expires" initial="never" choices={ENDS} inline />
      <ErrorNotice error={error} />
      <Actions>
        <Button type="submit" loading={busy}>
          Create token
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Actions>
    </Form>
  );
}

/** The token, before it is forgotten. */
function ShownOnce({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <>
      <p role="status">Copy the token now, and give it to your program. It can't be shown again.</p>
      <code translate="no" className={styles.token}>
        {token}
      </code>
      <Actions>
        <CopyButton isMain text={token} />
        <Button size="sm" variant="default" onClick={onDone}>
          Done
        </Button>
      </Actions>
    </>
  );
}
