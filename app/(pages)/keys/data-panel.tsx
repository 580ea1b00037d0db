"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { CopyButton } from "@/components/controls/copy-button";
import { Textarea } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import { IconEye, IconEyeOff, IconPencil } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { replaceData, reveal } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import styles from "./keys.module.css";

interface DataPanelProps {
  keyId: string;
  holds: boolean;
  changeable: boolean;
  origin: string;
}

/** The secret: hidden, and not even on the page, until its holder reveals it. Its manager can replace it. */
export function DataPanel({ keyId, holds, changeable, origin }: DataPanelProps) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const [data, setData] = useState<string | null>(null);
  const [isVisible, setVisible] = useState(false);
  const [draft, setDraft] = useState<string | null>(null);

  async function fetchData(): Promise<string | null> {
    const outcome = await run(reveal, keyId);
    if (outcome) setData(outcome.ok);
    return outcome ? outcome.ok : null;
  }

  async function toggle() {
    if (isVisible) return setVisible(false);
    setVisible((data ?? (await fetchData())) !== null);
  }

  async function save() {
    const next = draft ?? "";
    if (!(await run(replaceData, { keyId, data: next }))) return;
    if (holds) setData(next);
    setDraft(null);
    setDone("Secret updated for all holders.");
  }

  function cancel() {
    clear();
    setDraft(null);
  }

  const secret = isVisible && data !== null ? data || <i>Empty</i> : <span title="Hidden">{"•".repeat(20)}</span>;
  return (
    <>
      {holds ? (
        <section
          className={`${styles.data} ${isVisible ? "" : styles.soft}`}
          aria-label="The key's secret"
          aria-live="polite"
          tabIndex={isVisible ? 0 : undefined}
        >
          {secret}
        </section>
      ) : (
        <p className={styles.soft}>
          You manage this key but don't hold it, so you can replace its secret but not read it.
        </p>
      )}
      {draft === null && (
        <Actions>
          {holds && (
            <>
              <SteadyButton
                size="sm"
                variant="default"
                onClick={toggle}
                loading={busy}
                leftSection={isVisible ? <IconEyeOff size={16} /> : <IconEye size={16} />}
              >
                {isVisible ? "Hide" : "Reveal"}
              </SteadyButton>
              <CopyButton text={async () => data ?? fetchData()} />
            </>
          )}
          {changeable && (
            <Button
              size="sm"
              variant="default"
              onClick={() => {
                clear();
                setDraft(isVisible && data !== null ? data : "");
              }}
              leftSection={<IconPencil size={16} />}
            >
              Change
            </Button>
          )}
        </Actions>
      )}
      {draft !== null && (
        <Form onSubmit={save} failure={failure} onEdit={clear} className={styles.form}>
          <Textarea
            label="New secret"
            required
            rows={5}
            spellCheck={false}
            autoFocus
            size="md"
            value={draft}
            error={errorAt("data")}
            onChange={(event) => setDraft(event.currentTarget.value)}
            inputClassName={styles.secret}
          />
          <Actions>
            <SteadyButton type="submit" size="sm" loading={busy}>
              Save secret
            </SteadyButton>
            <Button size="sm" variant="default" onClick={cancel} disabled={busy}>
              Cancel
            </Button>
          </Actions>
        </Form>
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      {holds && <ApiCall title="Read the secret" command={shellCommand(origin, `/keys/get/${keyId}`)} />}
      {changeable && (
        <ApiCall
          title="Change the secret"
          command={shellCommand(origin, `/keys/update/${keyId}`, { key: "data", data: "DATA" })}
        />
      )}
    </>
  );
}
