"use client";

import type { Holder } from "@/app/(pages)/keys/holders";
import { HolderForm } from "../../keys/holder-form";
import { addHolderAsAdmin, revokeHolderAsAdmin } from "./actions";

/** The holders of any key. */
export function ManageHolders({ keyId, holders }: { keyId: string; holders: Holder[] }) {
  return (
    <HolderForm
      keyId={keyId}
      holders={holders}
      add={addHolderAsAdmin}
      revoke={revokeHolderAsAdmin}
      sameAsAdd={() => null}
      sameAsRevoke={() => null}
    />
  );
}
