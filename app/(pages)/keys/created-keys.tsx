"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { type MadeKey, MadeKeys } from "@/components/keys/made-keys";
import type { Sorting } from "@/components/keys/sort-head";
import { SelectionBar } from "@/components/selection-bar";
import { HolderDialog } from "./holder-dialog";
import type { HolderChange } from "./holder-result";

interface CreatedKeysProps {
  keys: MadeKey[];
  sorting: Sorting;
  origin: string;
}

/** The keys that the caller created. A user can be added to several at a time, or revoked from them. */
export function CreatedKeys({ keys, sorting, origin }: CreatedKeysProps) {
  const [ticked, setTicked] = useState<string[]>([]);
  const [asking, setAsking] = useState<HolderChange | null>(null);
  const chosen = keys.filter(({ id }) => ticked.includes(id));

  function close(isDone: boolean) {
    setAsking(null);
    if (isDone) setTicked([]);
  }

  return (
    <>
      <MadeKeys keys={keys} sorting={sorting} chosen={chosen.map(({ id }) => id)} onChoose={setTicked} />
      {chosen.length > 0 && (
        <SelectionBar label="Selection" count={chosen.length}>
          <Button size="sm" onClick={() => setAsking("add")}>
            Add a user
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsking("revoke")}>
            Revoke a user
          </Button>
          <Button size="sm" variant="default" onClick={() => setTicked([])}>
            Clear
          </Button>
        </SelectionBar>
      )}
      {(["add", "revoke"] as const).map((change) => (
        <HolderDialog
          key={change}
          change={change}
          keys={chosen}
          origin={origin}
          opened={asking === change}
          onClose={close}
        />
      ))}
    </>
  );
}
