"use client";

import { Button, Textarea } from "@mantine/core";
import { IconEye, IconEyeOff, IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { Form } from "@/components/form";
import { AsCommand } from "@/components/keys/as-command";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { change, reveal } from "./actions";
import styles from "./keys.module.css";

interface DataPanelProps {
  keyId: string;
  holds: boolean;
  changeable: boolean;
  getCommand: string;
  updateCommand: string;
}

/** The secret: hidden, and not even on the page, until its holder asks for it. Who manages the key can replace it. */
export function DataPanel({ keyId, holds, changeable, getCommand, updateCommand }: DataPanelProps) {
  const { run, busy, error, setError, done, setDone } = useAction();
  const [data, setData] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const [draft, setDraft] = useState<string | null>(null);

  async function fetchData(): Promise<string | null> {
    const answer = await run(() => reveal(keyId));
    if (answer) setData(answer.ok);
    return answer ? answer.ok : null;
  }

  async function toggle() {
    if (shown) return setShown(false);
    setShown((data ?? (await fetchData())) !== null);
  }

  async function save() {
    const next = draft ?? "";
    if (!(await run(() => change(keyId, "data", next)))) return;
    if (holds) setData(next);
    setDraft(null);
    setDone("The data is changed for all who hold the key.");
  }

  const secret = shown && data !== null ? data || <i>Empty</i> : <span title="Hidden">{"•".repeat(20)}</span>;
  return (
    <>
      {holds ? (
        <section className={`${styles.data} ${shown ? "" : styles.soft}`} aria-label="The key's data" aria-live="polite" tabIndex={shown ? 0 : undefined}>
          {secret}
        </section>
      ) : (
        <p className={styles.soft}>You manage this key without holding it: you can replace its data, but not read it.</p>
      )}
      {draft === null && (
        <Actions>
          {holds && (
            <>
              <Button size="sm" onClick={toggle} loading={busy} leftSection={shown ? <IconEyeOff size={16} /> : <IconEye size={16} />}>
                {shown ? "Hide" : "Reveal"}
              </Button>
              <CopyButton
                text={async () => data ?? fetchData()}
                onBlocked={() => {
                  setShown(true);
                  setError("Your browser did not let the page copy. Select the data and copy it by hand.");
                }}
              />
            </>
          )}
          {changeable && (
            <Button size="sm" variant="default" onClick={() => setDraft(shown && data !== null ? data : "")} leftSection={<IconPencil size={16} />}>
              Change
            </Button>
          )}
        </Actions>
      )}
      {draft !== null && (
        <Form onSubmit={save} className={styles.form}>
          <Textarea
            label="New data"
            required
            withAsterisk={false}
            rows={5}
            spellCheck={false}
            autoFocus
            size="md"
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
            classNames={{ input: styles.secret }}
          />
          <Actions>
            <Button type="submit" size="sm" loading={busy}>
              Save the data
            </Button>
            <Button size="sm" variant="default" onClick={() => setDraft(null)} disabled={busy}>
              Cancel
            </Button>
          </Actions>
        </Form>
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <AsCommand command={draft === null ? getCommand : updateCommand} />
    </>
  );
}
