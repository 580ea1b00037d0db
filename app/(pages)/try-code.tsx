"use client";

import { useState } from "react";
import { Button } from "@/components/buttons";
import { Door, Lock, Plate } from "@/components/code-display";
import { asJson, refusalIn, whyFailed } from "@/components/failures";
import { Notice } from "@/components/feedback";
import styles from "./start.module.css";

/** The door with a program's letters on its plate: an example's until a press requests a code of this service. */
export function TryCode() {
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
    <div className={styles.try}>
      <Door>
        <p>Your app shows</p>
        <Plate code={code || "KMTRWB"} />
        <Lock size={96} />
        <p role="status">
          {code ? (
            <span>
              Your browser is the user's. <a href={`/link?code=${code}`}>Link it</a>
            </span>
          ) : (
            <span>The user confirms them in a browser.</span>
          )}
        </p>
        <Button size="sm" variant="default" onClick={run} loading={busy}>
          Run it here
        </Button>
      </Door>
      <Notice kind="error">{error}</Notice>
    </div>
  );
}
