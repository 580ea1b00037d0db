"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import { PasswordField } from "@/components/password-field";
import { countInWords, RECOVERY_CODES } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import styles from "./page.module.css";
import { newRecoveryCodes } from "./recovery-actions";
import { ShownCodes } from "./shown-codes";

interface Props {
  username: string;
  asksPassword: boolean;
  left: number;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the password, creates codes, and shows them this once: until they are saved, Escape does not close it. */
export function RecoveryCodesDialog({ username, asksPassword, left, opened, onClose }: Props) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const [visit, setVisit] = useState(0);

  async function submit(fields: FormData) {
    const made = await run(() => newRecoveryCodes(String(fields.get("password") ?? "")));
    if (made) setCodes(made.ok);
  }

  function close() {
    clear();
    setCodes(null);
    setSaved(false);
    setWarned(false);
    setVisit(visit + 1);
    onClose();
  }

  return (
    <Dialog
      opened={opened}
      onClose={close}
      onEscape={codes && !isSaved ? () => setWarned(true) : undefined}
      title={codes ? "Your recovery codes" : "Create recovery codes"}
    >
      {codes && (
        <ShownCodes
          username={username}
          codes={codes}
          isSaved={isSaved}
          isWarned={isWarned}
          onSaved={() => setSaved(true)}
          onDone={close}
        />
      )}
      {opened && !codes && (
        <Form key={visit} onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>
            You'll get <span>{countInWords(RECOVERY_CODES)}</span> codes. They are shown only once.
            {left > 0 && (
              <span>{` The ${left === 1 ? "one that is" : `${left} that are`} left will no longer work.`}</span>
            )}
          </p>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          {asksPassword && (
            <PasswordField
              label="Your password"
              name="password"
              autoComplete="current-password"
              error={errorAt("current password")}
            />
          )}
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" loading={busy}>
              Create codes
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
