"use client";

import { useState } from "react";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import { Dialog } from "@/components/feedback/dialog";
import type { ChangeResult } from "@/lib/keys/many";
import { counted } from "@/lib/platform/bounds";
import { ActionForm, Submit } from "../action-form";
import { addToKeys, revokeFromKeys } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { ChangeResults, changedOf, type HolderChange } from "./holders";
import styles from "./keys.module.css";

interface HolderDialogProps {
  change: HolderChange;
  keys: { id: string; name: string }[];
  origin: string;
  /** `isDone`: keys were changed. */
  onClose: (isDone: boolean) => void;
}

/** Asks which user to add to several keys, or to revoke from them, and then shows what became of each key. */
export function HolderDialog({ change, keys: selected, origin, onClose }: HolderDialogProps) {
  const [keys] = useState(selected);
  const [username, setUsername] = useState("");
  const [result, setResult] = useState<{ user: string; results: ChangeResult[] } | null>(null);
  const ofKeys = counted(keys.length, "key", "keys");
  const isAdding = change === "add";
  const close = () => onClose(result !== null);
  const [them, their, secret] = keys.length === 1 ? ["it", "its", "secret"] : ["them", "their", "secrets"];
  return (
    <Dialog onClose={close} title={isAdding ? `Add a user to ${ofKeys}` : `Revoke a user from ${ofKeys}`}>
      {result ? (
        <ChangeResults
          change={change}
          results={result.results}
          nameOf={(id) => (
            <>
              <KeyLabel id={id} name={keys.find((key) => key.id === id)?.name} />
              <br />
            </>
          )}
          onClose={close}
        >
          <strong translate="no">{result.user}</strong>{" "}
          <span>{`${isAdding ? "was added" : "lost access"} to ${changedOf(result.results, "key", "keys")}.`}</span>
        </ChangeResults>
      ) : (
        <ActionForm
          action={isAdding ? addToKeys : revokeFromKeys}
          input={{ keyIds: keys.map(({ id }) => id) }}
          onDone={setResult}
        >
          <p>
            {isAdding
              ? `Holders can read ${their} ${secret}, and programs are told that they hold ${them}.`
              : `The user will no longer be able to read ${their} ${secret}. You can add them again.`}
          </p>
          <ul className={styles.names}>
            {keys.map(({ id, name }) => (
              <li key={id}>
                <KeyLabel id={id} name={name} />
              </li>
            ))}
          </ul>
          <UserField
            label="Username"
            placeholder={undefined}
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <Submit as={SteadyButton} color={isAdding ? undefined : "red"} cancel={close}>
            {isAdding ? `Add to ${ofKeys}` : `Revoke from ${ofKeys}`}
          </Submit>
          <ApiCall
            title={isAdding ? "Add the user" : "Revoke the user"}
            command={keys
              .map(({ id }) => commandFor(change, id, { origin, username: username.trim() || "USERNAME" }))
              .join("\n")}
          />
        </ActionForm>
      )}
    </Dialog>
  );
}

function KeyLabel({ id, name }: { id: string; name?: string }) {
  return (
    <>
      <span>{name || <i>Unnamed key</i>}</span>{" "}
      <code translate="no" className={styles.soft}>
        {id.slice(0, 8)}
      </code>
    </>
  );
}

function commandFor(
  change: HolderChange,
  id: string,
  { origin, username }: { origin: string; username: string },
): string {
  return change === "add"
    ? shellCommand(origin, `/keys/admin_add/${id}`, { key: id, username })
    : shellCommand(origin, `/keys/revoke/${id}`, { user: username });
}
