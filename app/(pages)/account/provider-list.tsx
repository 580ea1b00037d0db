"use client";

import { Button } from "@mantine/core";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { Notice } from "@/components/notice";
import rows from "@/components/row-list.module.css";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { connect, disconnect } from "./actions";

interface Provider {
  id: string;
  name: string;
  connected: boolean;
}

const TAKEN = "That account signs in another user already. Nothing was changed.";

/** The providers that can sign this user in, and those that could. `result` is what the way back from one brought. */
export function ProviderList({ providers, result }: { providers: Provider[]; result?: string }) {
  const { run, busy, error, done, setDone } = useAction();
  const [chosen, setChosen] = useState<string | null>(null);
  const [arrived, setArrived] = useState(result);

  async function change({ id, name, connected }: Provider) {
    setChosen(id);
    setArrived(undefined);
    const answer = await run(() => (connected ? disconnect(id) : connect(id)));
    if (answer && !connected) return signIn(id, { callbackUrl: "/account" });
    if (answer) setDone(`${name} no longer signs you in.`);
    setChosen(null);
  }

  return (
    <>
      <ul className={rows.list}>
        {providers.map((provider) => (
          <li key={provider.id}>
            <span>
              {provider.name}
              {provider.connected && <span className={rows.detail}>Connected</span>}
            </span>
            <Button
              variant="default"
              size="sm"
              onClick={() => change(provider)}
              loading={chosen === provider.id}
              disabled={busy && chosen !== provider.id}
              aria-label={`${provider.connected ? "Disconnect" : "Connect"} ${provider.name}`}
            >
              {provider.connected ? "Disconnect" : "Connect"}
            </Button>
          </li>
        ))}
      </ul>
      <ErrorNotice error={error || (arrived === "taken" ? TAKEN : "")} />
      <Notice kind="done">{done || (arrived === "yes" && "Connected. You can sign in with it from now on.")}</Notice>
    </>
  );
}
