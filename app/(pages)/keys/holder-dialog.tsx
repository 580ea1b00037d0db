"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import { Dialog } from "@/components/feedback/dialog";
import { Actions } from "@/components/frame/panel";
import { counted } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { addToKeys, revokeFromKeys } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { type HolderChange, type HolderChangeResult, HolderResult } from "./holders";
import styles from "./keys.module.css";

interface HolderDialogProps {
  change: HolderChange;
  keys: { id: string; name: string }[];
  origin: string;
  opened: boolean;
  /** `isDone`: keys were changed. */
  onClose: (isDone: boolean) => void;
}

/** Asks which user to add to several keys, or to revoke from them, and then shows what became of each key. */
export function HolderDialog({ change, keys, origin, opened, onClose }: HolderDialogProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [username, setUsername] = useState("");
  const [result, setResult] = useState<HolderChangeResult | null>(null);
  const ofKeys = counted(keys.length, "key", "keys");
  const isAdding = change === "add";

  async function submit() {
    const keyIds = keys.map(({ id }) => id);
    const outcome = await run(isAdding ? addToKeys : revokeFromKeys, { keyIds, username });
    if (!outcome) return;
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    const lines = outcome.ok.results.map(({ item: id, ...line }) => ({ ...line, id, name: names.get(id) ?? "" }));
    setResult({ user: outcome.ok.user, lines });
  }

  function close() {
    clear();
    setUsername("");
    setResult(null);
    onClose(result !== null);
  }

  const title = isAdding ? `Add a user to ${ofKeys}` : `Revoke a user from ${ofKeys}`;
  if (result) {
    return (
      <Dialog opened={opened} onClose={close} title={title}>
        <HolderResult change={change} result={result} onClose={close} />
      </Dialog>
    );
  }
  const [them, their, secret] = keys.length === 1 ? ["it", "its", "secret"] : ["them", "their", "secrets"];
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
        <p>
          {isAdding
            ? `Holders can read ${their} ${secret}, and programs are told that they hold ${them}.`
            : `The user will no longer be able to read ${their} ${secret}. You can add them again.`}
        </p>
        <ul className={styles.names}>
          {keys.map(({ id, name }) => (
            <li key={id}>
              <span>{name || <i>Unnamed key</i>}</span>{" "}
              <code translate="no" className={styles.soft}>
                {id.slice(0, 8)}
              </code>
            </li>
          ))}
        </ul>
        <UserField
          label="Username"
          placeholder={undefined}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          error={errorAt("username")}
        />
        <ErrorNotice error={error} />
        <Actions>
          <SteadyButton type="submit" color={isAdding ? undefined : "red"} loading={busy}>
            {isAdding ? `Add to ${ofKeys}` : `Revoke from ${ofKeys}`}
          </SteadyButton>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Actions>
        <ApiCall
          title={isAdding ? "Add the user" : "Revoke the user"}
          command={keys
            .map(({ id }) => commandFor(change, id, { origin, username: username.trim() || "USERNAME" }))
            .join("\n")}
        />
      </Form>
    </Dialog>
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
