"use client";

import { Button } from "@mantine/core";
import { IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { CopyButton } from "@/components/copy-button";
import { Dialog } from "@/components/dialog";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import type { Outcome } from "../outcome";
import { UNREACHABLE } from "../unreachable";
import { reveal, rotate } from "./actions";
import styles from "./page.module.css";

const HIDDEN = `lk_${"•".repeat(20)}`;

/** The token: hidden, and not even on the page, until the person asks for it. */
export function TokenPanel() {
  const [token, setToken] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [done, setDone] = useState("");

  async function fetchToken(action: () => Promise<Outcome<string>>): Promise<string | null> {
    setError("");
    setDone("");
    const answer = await action().catch(() => ({ error: UNREACHABLE }));
    if ("error" in answer) {
      setError(answer.error);
      return null;
    }
    setToken(answer.ok);
    return answer.ok;
  }

  async function toggle() {
    if (shown) return setShown(false);
    setBusy(true);
    const found = token ?? (await fetchToken(reveal));
    setShown(found !== null);
    setBusy(false);
  }

  async function replace() {
    setBusy(true);
    const fresh = await fetchToken(rotate);
    if (fresh !== null) {
      setShown(true);
      setDone("This is your new token. The old one has stopped working.");
    }
    setBusy(false);
    setAsking(false);
  }

  return (
    <div className={styles.stack}>
      <code className={`${styles.token} ${shown ? "" : styles.hidden}`}>{shown && token ? token : HIDDEN}</code>
      <Actions>
        <Button size="sm" onClick={toggle} loading={busy && !asking} leftSection={shown ? <IconEyeOff size={16} /> : <IconEye size={16} />}>
          {shown ? "Hide" : "Reveal"}
        </Button>
        <CopyButton
          text={async () => token ?? fetchToken(reveal)}
          onBlocked={() => {
            setShown(true);
            setError("Your browser did not let the page copy. Select the token and copy it by hand.");
          }}
        />
        <Button size="sm" variant="default" onClick={() => setAsking(true)} leftSection={<IconRefresh size={16} />}>
          Rotate
        </Button>
      </Actions>
      <Notice kind="error">{error}</Notice>
      <Notice kind="done">{done}</Notice>
      <Dialog opened={asking} onClose={() => setAsking(false)} title="Rotate your token?">
        <p>
          You get a new token, and the present one stops working at once. Every program that uses it stops too, until you link it again or give it the new one.
        </p>
        <Actions>
          <Button color="red" onClick={replace} loading={busy}>
            Rotate the token
          </Button>
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </Actions>
      </Dialog>
    </div>
  );
}
