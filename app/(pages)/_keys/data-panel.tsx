"use client";

import { useState } from "react";
import { Button } from "@/components/buttons";
import { CopyButton } from "@/components/copy-button";
import { Textarea } from "@/components/form";
import { IconEye, IconEyeOff, IconPencil } from "@/components/icons";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { ActionForm, Submit } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { replaceData, reveal } from "./actions";
import { ApiCall } from "./api-calls";
import styles from "./keys.module.css";

interface DataPanelProps {
  keyId: string;
  holds: boolean;
  changeable: boolean;
}

/** The secret: hidden, and not even on the page, until its holder reveals it. Its manager can replace it. */
export function DataPanel({ keyId, holds, changeable }: DataPanelProps) {
  const { run, busy, error, clear } = useAction();
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

  function showSaved() {
    if (holds) setData(draft);
    setDraft(null);
  }

  const secret = isVisible && data !== null ? data || <i>Empty</i> : <span title="Hidden">{"•".repeat(20)}</span>;
  return (
    <>
      {holds ? (
        <section
          className={`${styles.data} ${isVisible ? "" : "soft"}`}
          aria-label="The key's secret"
          aria-live="polite"
          tabIndex={isVisible ? 0 : undefined}
        >
          {secret}
        </section>
      ) : (
        <p className="soft">You manage this key but don't hold it, so you can replace its secret but not read it.</p>
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
        <ActionForm
          action={replaceData}
          input={{ keyId, data: draft }}
          done="Secret updated for all holders."
          onDone={showSaved}
        >
          <Textarea
            label="New secret"
            name="data"
            required
            rows={5}
            spellCheck={false}
            autoFocus
            size="md"
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
            inputClassName={styles.secret}
          />
          <Submit as={SteadyButton} size="sm" cancel={() => setDraft(null)}>
            Save secret
          </Submit>
        </ActionForm>
      )}
      <ErrorNotice error={error} />
      {holds && <ApiCall title="Read the secret" requests={[[`/keys/get/${keyId}`]]} />}
      {changeable && (
        <ApiCall title="Change the secret" requests={[[`/keys/update/${keyId}`, { key: "data", data: "DATA" }]]} />
      )}
    </>
  );
}
