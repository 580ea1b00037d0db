"use client";

import { useState } from "react";
import rows from "@/components/content/facts.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import { useToast } from "@/components/feedback/toast";
import { ErrorNotice } from "../error-notice";
import { goToProvider } from "../signin/sign-in";
import { useAction } from "../use-action";
import { connect, disconnect } from "./actions";

interface Provider {
  id: string;
  name: string;
  connected: boolean;
}

/** By the result in the address, where anybody can write any other. */
const NOT_CONNECTED = new Map([
  ["taken", "That account is already connected to another user. Nothing was changed."],
  ["failed", "The account couldn't be connected. Nothing was changed. Try again in a moment."],
]);

/**
 * The providers that can sign this user in, and those not connected yet. `result`: the result of returning from one.
 */
export function ProviderList({ providers, result }: { providers: Provider[]; result?: string }) {
  const { run, busy, error } = useAction();
  const toast = useToast();
  const [chosen, setChosen] = useState<string | null>(null);
  const [arrived, setArrived] = useState(result);

  async function change({ id, name, connected }: Provider) {
    setChosen(id);
    setArrived(undefined);
    const changed = await run(connected ? disconnect : connect, id);
    if (changed && !connected) await run(() => goToProvider(id, "/account"));
    else if (changed) toast({ text: `${name} disconnected. You can no longer sign in with it.` });
    setChosen(null);
  }

  return (
    <>
      <ul className={rows.list}>
        {providers.map((provider) => (
          <li key={provider.id}>
            <span>
              <span translate="no">{provider.name}</span>
              {provider.connected && <span className={rows.detail}>Connected</span>}
            </span>
            <SteadyButton
              variant="default"
              size="sm"
              onClick={() => change(provider)}
              loading={chosen === provider.id}
              disabled={busy && chosen !== provider.id}
              aria-label={`${provider.connected ? "Disconnect" : "Connect"} ${provider.name}`}
            >
              {provider.connected ? "Disconnect" : "Connect"}
            </SteadyButton>
          </li>
        ))}
      </ul>
      <ErrorNotice error={error || (NOT_CONNECTED.get(arrived ?? "") ?? "")} />
      <Notice kind="done">{arrived === "yes" && "Connected. You can now sign in with it."}</Notice>
    </>
  );
}
