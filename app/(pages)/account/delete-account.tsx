"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Dialog } from "@/components/dialog";
import { entriesInWords, seenOf } from "@/components/files/entry-count";
import { Form } from "@/components/form";
import { Actions } from "@/components/panel";
import type { Losses } from "@/lib/account/losses";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { removeAccount } from "./actions";
import styles from "./page.module.css";

interface DeleteAccountProps {
  username: string;
  asksPassword: boolean;
  losses: Losses;
  /** How many programs are linked. */
  programs: number;
}

/** Deletes the account once its name and its password were typed, after saying what goes with it. */
export function DeleteAccount({ username, asksPassword, losses, programs }: DeleteAccountProps) {
  const { run, busy, failure, error, errorAt } = useAction();
  const [asking, setAsking] = useState(false);
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    if (!(await run(() => removeAccount(String(fields.get("name")), String(fields.get("password") ?? ""))))) return;
    setLeaving(true);
    window.location.assign("/?deleted");
  }

  return (
    <>
      <p className={styles.soft}>For good, with all that you have here. Download everything first, if you may want it.</p>
      <Actions>
        <Button size="sm" variant="default" onClick={() => setAsking(true)} leftSection={<IconTrash size={16} />}>
          Delete account
        </Button>
      </Actions>
      <Dialog opened={asking} onClose={() => setAsking(false)} title="Delete your account?">
        <Form onSubmit={submit} failure={failure} className={styles.stack}>
          <p>This cannot be undone. At once and for good:</p>
          <ul className={styles.losses}>
            <li>{keysSentence(losses)}</li>
            <li>{seenOf(losses.files.entries) > 0 ? `You lose ${entriesInWords(losses.files.entries)}.` : "You have no files to lose."}</li>
            <li>{programs > 0 ? `${count(programs, "linked program stops", "linked programs stop")}, and so does your token.` : "Your token stops."}</li>
            <li>Nobody can take the name {username} again, not even you.</li>
          </ul>
          <TextInput
            label="Your username"
            name="name"
            description={`Type ${username} to go on.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errorAt("username")}
          />
          {asksPassword && (
            <PasswordInput
              label="Your password"
              name="password"
              autoComplete="current-password"
              required
              error={errorAt("current password")}
              aria-invalid={errorAt("current password") !== undefined}
              visibilityToggleButtonProps={{ "aria-label": "Show or hide what was typed" }}
            />
          )}
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" color="red" loading={busy || leaving}>
              Delete the account
            </Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep it
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  );
}

function keysSentence({ keys, holders, areMoreHolders }: Losses): string {
  if (keys === 0) return "You have made no key that others could lose.";
  const gone = `${count(keys, "key that you made is", "keys that you made are")} gone`;
  return holders === 0
    ? `${gone}. Nobody else holds one.`
    : `${gone}, for ${areMoreHolders ? "at least " : "the "}${count(holders, "other person who holds one", "other people who hold one")} too. They are told.`;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
