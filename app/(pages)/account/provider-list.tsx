"use client";

import { useState } from "react";
import rows from "@/components/content/facts.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import type { Outcome } from "../action";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { goToProvider } from "../signin/sign-in";
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
  const [arrived, setArrived] = useState(result);
  return (
    <ActionGroup problem={NOT_CONNECTED.get(result ?? "")}>
      <ul className={rows.list}>
        {providers.map(({ id, name, connected }) => (
          <li key={id}>
            <span>
              <span translate="no">{name}</span>
              {connected && <span className={rows.detail}>Connected</span>}
            </span>
            <ActionButton
              as={SteadyButton}
              size="sm"
              action={connected ? disconnect : connectThere}
              input={id}
              done={connected ? `${name} disconnected. You can no longer sign in with it.` : ""}
              onDone={() => setArrived(undefined)}
              aria-label={`${connected ? "Disconnect" : "Connect"} ${name}`}
            >
              {connected ? "Disconnect" : "Connect"}
            </ActionButton>
          </li>
        ))}
      </ul>
      <ActionError />
      <Notice kind="done">{arrived === "yes" && "Connected. You can now sign in with it."}</Notice>
    </ActionGroup>
  );
}

/** Leaves for the provider. */
async function connectThere(id: string): Promise<Outcome<void>> {
  const outcome = await connect(id);
  return "error" in outcome ? outcome : goToProvider(id, "/account");
}
