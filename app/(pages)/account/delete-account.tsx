"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { entriesInWords, seenOf } from "@/components/files/entry-count";
import { Form } from "@/components/form";
import { IconTrash } from "@/components/icons";
import { count, keysLost } from "@/components/keys-lost";
import { Actions } from "@/components/panel";
import { PasswordField } from "@/components/password-field";
import { TextInput } from "@/components/text-input";
import type { Losses } from "@/lib/user-data/delete";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { removeAccount } from "./actions";
import { HandOverAll } from "./hand-over-all";
import styles from "./page.module.css";

interface DeleteAccountProps {
  username: string;
  asksPassword: boolean;
  losses: Losses;
  /** How many programs hold the account's token or one of their own. */
  programs: number;
}

/** Deletes the account after its name and password were typed, and shows first what is lost. */
export function DeleteAccount({ username, asksPassword, losses, programs }: DeleteAccountProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [asking, setAsking] = useState(false);
  const [leaving, setLeaving] = useState(false);

  function ask() {
    clear();
    setAsking(true);
  }

  async function submit(fields: FormData) {
    if (!(await run(() => removeAccount(String(fields.get("name")), String(fields.get("password") ?? ""))))) return;
    setLeaving(true);
    window.location.assign("/?deleted");
  }

  return (
    <>
      {losses.keys > 0 && <HandOverAll keys={losses.keys} offered={losses.offered} />}
      <p className={styles.soft}>
        This deletes your account and everything in it. Export your data first if you want to keep it.
      </p>
      <Actions>
        <Button size="sm" variant="outline" color="red" onClick={ask} leftSection={<IconTrash size={16} />}>
          Delete account
        </Button>
      </Actions>
      <Dialog opened={asking} onClose={() => setAsking(false)} title="Delete your account?">
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>This can't be undone. It takes effect immediately:</p>
          <ul className={styles.losses}>
            <li>{keysLost(losses, "you")}</li>
            <li>
              {seenOf(losses.files.entries) > 0
                ? `You lose ${entriesInWords(losses.files.entries)}.`
                : "You have no files."}
            </li>
            <li>
              {programs > 0
                ? `${count(programs, "program loses", "programs lose")} access. All tokens stop working.`
                : "Your account's token stops working."}
            </li>
            <li>{`The username ${username} can never be used again, not even by you.`}</li>
          </ul>
          <TextInput
            label="Your username"
            name="name"
            description={`Type ${username} to confirm.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errorAt("username")}
          />
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
            <Button type="submit" color="red" loading={busy || leaving}>
              Delete my account
            </Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  );
}
