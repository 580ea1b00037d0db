"use client";

import type { Holder } from "@/app/(pages)/keys/holders";
import { HolderForm } from "../../keys/holder-form";
import { SameCommand, shellWord } from "../same-command";
import { addHolderAsAdmin, restoreHoldersAsAdmin, revokeHolderAsAdmin } from "./actions";

/** The holders of any key, with the admin commands that do the same. */
export function ManageHolders({ keyId, holders }: { keyId: string; holders: Holder[] }) {
  return (
    <HolderForm
      keyId={keyId}
      holders={holders}
      add={addHolderAsAdmin}
      revoke={revokeHolderAsAdmin}
      restore={restoreHoldersAsAdmin}
      sameAsAdd={(username, until) => (
        <SameCommand command={`key:add ${keyId} ${shellWord(username)}${until ? ` --until ${until}` : ""}`} />
      )}
      sameAsRevoke={(username) => <SameCommand command={`key:revoke ${keyId} ${shellWord(username)}`} />}
    />
  );
}
