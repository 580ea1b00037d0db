"use client";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import type { ListedPasskey } from "@/lib/accounts/passkeys/add";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { giveName } from "./actions";
import styles from "./passkeys.module.css";

interface Props {
  /** The passkey in question; null: none. */
  passkey: ListedPasskey | null;
  onClose: () => void;
  /** Gets the new name. */
  onRenamed: (name: string) => void;
}

/** Asks for another name of a passkey. */
export function RenamePasskeyDialog({ passkey, onClose, onRenamed }: Props) {
  const { run, busy, failure, error, errorAt, clear } = useAction();

  async function submit(fields: FormData) {
    const renamed = passkey && (await run(() => giveName(passkey.id, String(fields.get("name")))));
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
