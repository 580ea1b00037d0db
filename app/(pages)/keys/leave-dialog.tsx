"use client";

import { Button } from "@mantine/core";
import { Dialog } from "@/components/dialog";
import { AsCommand } from "@/components/keys/as-command";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { leave } from "./actions";
import { command } from "./command";
import styles from "./keys.module.css";

interface LeaveDialogProps {
  keys: { id: string; name: string; creator: string }[];
  username: string;
  origin: string;
  opened: boolean;
  onClose: () => void;
  /** Told how many of the keys the viewer held until now. */
  onLeft: (left: number) => void;
}

/** Asks before keys of others are given back: only those others can undo it. */
export function LeaveDialog({ keys, username, origin, opened, onClose, onLeft }: LeaveDialogProps) {
  const { run, busy, error } = useAction();

  async function submit() {
    const answer = await run(() => leave(keys.map(({ id }) => id)));
    if (answer) onLeft(answer.ok);
  }

  return (
    <Dialog opened={opened} onClose={onClose} title={keys.length === 1 ? "Leave this key?" : `Leave these ${keys.length} keys?`}>
      <p>
        You can no longer read the data then, and programs will be told that you are not a holder. Only{" "}
        {keys.length === 1 ? keys[0]?.creator : "those who created them"} can add you again.
      </p>
      <ul className={styles.names}>
        {keys.map(({ id, name, creator }) => (
          <li key={id}>
            {name || <i>Unnamed key</i>} <span className={styles.soft}>from {creator}</span>
          </li>
        ))}
      </ul>
      <ErrorNotice error={error} />
      <Actions>
        <Button color="red" onClick={submit} loading={busy}>
          Leave
        </Button>
        <Button variant="default" onClick={onClose}>
          Stay
        </Button>
      </Actions>
      <AsCommand command={keys.map(({ id }) => command(origin, `/keys/revoke/${id}`, { user: username })).join("\n")} />
    </Dialog>
  );
}
