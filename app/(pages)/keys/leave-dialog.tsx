"use client";

import { ApiCall } from "@/components/keys/api-calls";
import { ConfirmDialog } from "../confirm-dialog";
import { leave } from "./actions";
import styles from "./keys.module.css";
import { shellCommand } from "./shell-command";

interface LeaveDialogProps {
  keys: { id: string; name: string; creator: string }[];
  username: string;
  origin: string;
  opened: boolean;
  onClose: () => void;
  /** Called with the number of the keys that the caller held until now. */
  onLeft: (left: number) => void;
}

/** Asks before leaving keys of others: only their managers can undo it. */
export function LeaveDialog({ keys, username, origin, opened, onClose, onLeft }: LeaveDialogProps) {
  const isOne = keys.length === 1;
  return (
    <ConfirmDialog
      opened={opened}
      title={isOne ? "Leave this key?" : `Leave these ${keys.length} keys?`}
      confirm="Leave"
      action={() => leave(keys.map(({ id }) => id))}
      onClose={onClose}
      onDone={onLeft}
      footer={
        <ApiCall
          title={isOne ? "Leave the key" : "Leave the keys"}
          command={keys.map(({ id }) => shellCommand(origin, `/keys/revoke/${id}`, { user: username })).join("\n")}
        />
      }
    >
      <p>
        You will no longer be able to read the data, and programs will be told that you are not a holder. Only{" "}
        <span>{isOne ? keys[0]?.creator : "their creators"}</span> can add you again.
      </p>
      <ul className={styles.names}>
        {keys.map(({ id, name, creator }) => (
          <li key={id}>
            <span>{name || <i>Unnamed key</i>}</span> <span className={styles.soft}>{`from ${creator}`}</span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
