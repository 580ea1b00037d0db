"use client";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import type { Batch } from "@/lib/keys/claims/list";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { endLinks } from "./claim-actions";
import styles from "./keys.module.css";

interface EndLinksProps {
  keyId: string;
  batch: Batch;
  onClose: () => void;
  /** Called with how many links could be used until now. */
  onEnded: (ended: number) => void;
}

/** Asks before links are ended: all that were created together, or one of them. */
export function EndLinks({ keyId, batch, onClose, onEnded }: EndLinksProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const isOne = batch.links === 1;

  async function submit(fields: FormData) {
    const answer = await run(() => endLinks(keyId, batch.id, String(fields.get("number") ?? "")));
    if (answer) onEnded(answer.ok);
  }

  return (
    <Dialog opened onClose={onClose} title={isOne ? "End this link?" : "End these links?"}>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
        <p>
          Nobody can accept the key with <span>{isOne ? "it" : "them"}</span> any more. This can't be undone. Those who
          have accepted keep their access.
        </p>
        {!isOne && (
          <TextInput
            label="Only the link with this number (optional)"
            description="From the first column of the CSV. Without it, all of them end."
            name="number"
            inputMode="numeric"
            autoComplete="off"
            error={errorAt("number")}
          />
        )}
        <ErrorNotice error={error} />
        <Actions>
          <Button type="submit" color="red" loading={busy}>
            {isOne ? "End link" : "End links"}
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
