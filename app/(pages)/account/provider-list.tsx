"use client";

import { Button } from "@mantine/core";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { Notice } from "@/components/notice";
import { UNREACHABLE } from "../unreachable";
import { connect } from "./actions";
import styles from "./page.module.css";

interface Provider {
  id: string;
  name: string;
  connected: boolean;
}

/** The providers that can sign this user in, and those that could. `result` is what the way back from one brought. */
export function ProviderList({ providers, result }: { providers: Provider[]; result?: string }) {
  const [error, setError] = useState(result === "taken" ? "That account signs in another user already. Nothing was changed." : "");
  const [busy, setBusy] = useState<string | null>(null);

  async function start(id: string) {
    setBusy(id);
    setError("");
    const answer = await connect(id).catch(() => ({ error: UNREACHABLE }));
    if ("error" in answer) {
      setError(answer.error);
      return setBusy(null);
    }
    await signIn(id, { callbackUrl: "/account" });
  }

  return (
    <>
      <ul className={styles.providers}>
        {providers.map(({ id, name, connected }) => (
          <li key={id}>
            <span>{name}</span>
            {connected ? (
              <span className={styles.soft}>Connected</span>
            ) : (
              <Button variant="default" size="sm" onClick={() => start(id)} loading={busy === id} aria-label={`Connect ${name}`}>
                Connect
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Notice kind="error">{error}</Notice>
      <Notice kind="done">{result === "yes" && !error && "Connected. You can sign in with it from now on."}</Notice>
    </>
  );
}
