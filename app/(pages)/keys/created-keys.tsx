"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { type MadeKey, MadeKeys } from "@/components/keys/made-keys";
import type { Sorting } from "@/components/keys/sort-head";
import { HolderDialog } from "./holder-dialog";
import type { HolderChange } from "./holder-result";
import styles from "./keys.module.css";

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
        <section className={styles.selection} aria-label="Selection">
          <span>{chosen.length} selected</span>
          <Button size="sm" onClick={() => setAsking("add")}>
            Add a user
          </Button>
          <Button size="sm" variant="default" onClick={() => setAsking("revoke")}>
            Revoke a user
          </Button>
          <Button size="sm" variant="default" onClick={() => setTicked([])}>
            Clear
          </Button>
        </section>
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
