"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { enterEmail } from "./email-actions";
import styles from "./page.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Asks for an e-mail address, and has a link sent there. */
export function EmailDialog({ opened, onClose }: Props) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [visit, setVisit] = useState(0);

  async function submit(fields: FormData) {
    if (await run(() => enterEmail(String(fields.get("address"))))) close();
  }

  function close() {
    clear();
    setVisit(visit + 1);
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={close} title="Your e-mail address">
      {opened && (
        <Form key={visit} onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>We'll send a link to this address. It's used once you've opened the link.</p>
          <TextInput
            type="email"
            label="E-mail address"
            name="address"
            autoComplete="email"
            maxLength={254}
            required
            error={errorAt("address")}
          />
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" loading={busy}>
              Send link
            </Button>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  );
}
