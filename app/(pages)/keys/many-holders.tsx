"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Actions } from "@/components/panel";
import type { HolderChange } from "./holder-result";
import { ManyDialog } from "./many-dialog";

/** Buttons to add many users to a key, and to revoke it from many. */
export function ManyHolders({ keyId, origin }: { keyId: string; origin: string }) {
  const [asking, setAsking] = useState<HolderChange | null>(null);
  return (
    <>
      <Actions>
        <Button size="xs" variant="default" onClick={() => setAsking("add")}>
          Add many
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsking("revoke")}>
          Revoke many
        </Button>
      </Actions>
      {asking && <ManyDialog keyId={keyId} change={asking} origin={origin} onClose={() => setAsking(null)} />}
    </>
  );
}
