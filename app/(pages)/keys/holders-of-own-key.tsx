"use client";

import { ApiCall } from "@/components/keys/api-calls";
import type { Holder } from "@/components/keys/holders";
import { add, revoke } from "./actions";
import { HolderForm } from "./holder-form";
import { shellCommand } from "./shell-command";

/** The holders of a key that the reader manages, with the API calls that do the same. */
export function HoldersOfOwnKey({ keyId, holders, origin }: { keyId: string; holders: Holder[]; origin: string }) {
  return (
    <HolderForm
      keyId={keyId}
      holders={holders}
      add={add}
      revoke={revoke}
      sameAsAdd={(username, until) => (
        <ApiCall
          title={holders.some((holder) => holder.username === username) ? "Change the end" : "Add a holder"}
          command={shellCommand(origin, `/keys/admin_add/${keyId}`, { key: keyId, username, ...(until && { until }) })}
        />
      )}
      sameAsRevoke={(user) => (
        <ApiCall title="Revoke a holder" command={shellCommand(origin, `/keys/revoke/${keyId}`, { user })} />
      )}
    />
  );
}
