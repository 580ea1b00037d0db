"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { CommandLine } from "@/components/command-line";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { whyFailed } from "@/components/why-failed";
import styles from "./welcome.module.css";

/** The first request of a program, to copy or to run here, with this service's response. */
export function TryCode({ origin }: { origin: string }) {
  const [code, setCode] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    setError("");
    const answer = await fetch("/link/code")
      .then((response) => response.json())
      .catch(async (thrown) => ({ error: await whyFailed(thrown) }));
    setCode(answer.code ?? "");
    setError(answer.error ?? "");
    setBusy(false);
  }

  return (
    <div className={styles.tried}>
      <CommandLine command={`curl ${origin}/link/code`} answer={`{"code":"${code || "KMTRWB"}"}`} />
      <Actions>
        <Button size="sm" variant="default" onClick={run} loading={busy}>
          Run it here
        </Button>
        <p role="status" className={styles.next}>
          {code && (
            <span>
              A program would now show <span translate="no">{code}</span>. <a href={`/link?code=${code}`}>Link it</a> as
              its user would.
            </span>
          )}
        </p>
      </Actions>
      <Notice kind="error">{error}</Notice>
    </div>
  );
}
