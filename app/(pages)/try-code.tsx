"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { CommandLine } from "@/components/controls/copy-button";
import { Notice } from "@/components/feedback/notice";
import { asJson, refusalIn, whyFailed } from "@/components/feedback/why-failed";
import { Actions } from "@/components/frame/panel";
import styles from "./welcome.module.css";

/** The first request of a program, to copy or to run here, with this service's response. */
export function TryCode({ origin }: { origin: string }) {
  const [code, setCode] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    setError("");
    try {
      const response = await fetch("/link/code");
      const body = asJson(await response.text());
      const isCode = response.ok && typeof body?.code === "string";
      setCode(isCode ? String(body.code) : "");
      if (!isCode) setError(refusalIn(response.status, body));
    } catch (thrown) {
      setCode("");
      setError(await whyFailed(thrown));
    }
    setBusy(false);
  }

  return (
    <div className={styles.tried}>
      <CommandLine command={`curl ${origin}/link/code`} output={`{"code":"${code || "KMTRWB"}"}`} />
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
