"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { entriesInWords, seenOf } from "@/components/files/entry-count";
import { Form } from "@/components/form";
import { IconTrash } from "@/components/icons";
import { keysLost } from "@/components/keys-lost";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import type { Losses } from "@/lib/user-data/delete";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { SameCommand } from "../same-command";
import { deleteUser } from "./actions";
import styles from "./users.module.css";

/** Deletes a user after their name was typed, and shows first what is lost, to whom. */
export function DeleteUser({ username, losses }: { username: string; losses: Losses }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [asking, setAsking] = useState(false);
  const [leaving, setLeaving] = useState(false);

  async function submit(fields: FormData) {
    if (!(await run(() => deleteUser(username, String(fields.get("name")))))) return;
    setLeaving(true);
    window.location.assign("/admin/users");
  }

  function ask() {
    clear();
    setAsking(true);
  }

  return (
    <>
      <p className={styles.soft}>{`${keysLost(losses, "they")} ${filesSentence(losses)}`}</p>
      <Actions>
        <Button size="sm" variant="outline" color="red" onClick={ask} leftSection={<IconTrash size={16} />}>
          Delete user
        </Button>
      </Actions>
      <SameCommand command={`user:delete ${username}`} />
      <Dialog opened={asking} onClose={() => setAsking(false)} title={`Delete ${username}?`}>
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.stack}>
          <p>This can't be undone. It takes effect immediately:</p>
          <ul className={styles.losses}>
            <li>{keysLost(losses, "they")}</li>
            <li>{filesSentence(losses)}</li>
            <li>All tokens stop working, and all browsers are signed out.</li>
            <li>{`The username ${username} can never be used again.`}</li>
          </ul>
          <TextInput
            label="Username"
            name="name"
            description={`Type ${username} to confirm.`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errorAt("username")}
          />
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" color="red" loading={busy || leaving}>
              Delete user
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

const filesSentence = ({ files }: Losses) =>
  seenOf(files.entries) > 0 ? `${entriesInWords(files.entries)} are deleted.` : "They have no files.";
