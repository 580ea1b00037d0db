"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { type GivenKey, GivenKeys } from "@/components/keys/given-keys";
import type { Sorting } from "@/components/keys/sort-head";
import { Notice } from "@/components/notice";
import { SelectionBar } from "@/components/selection-bar";
import { OfAUser } from "../of-a-user";
import { BlockDialog } from "./block-dialog";
import { LeaveDialog } from "./leave-dialog";

interface LeaveKeysProps {
  keys: GivenKey[];
  sorting: Sorting;
  /** Usernames of blocked givers. */
  blocked: string[];
  username: string;
  origin: string;
}

/** The keys from others. The caller can leave several at a time, or all of one giver who is then blocked. */
export function LeaveKeys({ keys, sorting, blocked, username, origin }: LeaveKeysProps) {
  const [ticked, setTicked] = useState<string[]>([]);
  const [asking, setAsking] = useState(false);
  const [blocking, setBlocking] = useState<GivenKey | null>(null);
  const [done, setDone] = useState("");
  const chosen = keys.filter(({ id }) => ticked.includes(id));

  function choose(ids: string[]) {
    setTicked(ids);
    setDone("");
  }

  function finishBlocking(sentence: string) {
    setBlocking(null);
    setTicked([]);
    setDone(sentence);
  }

  function finish(left: number) {
    setAsking(false);
    setTicked([]);
    setDone(left === 1 ? "You left 1 key." : `You left ${left} keys.`);
  }

  return (
    <>
      <Notice kind="done">{done}</Notice>
      {keys.length > 0 && (
        <GivenKeys
          keys={keys}
          sorting={sorting}
          blocked={blocked}
          chosen={chosen.map(({ id }) => id)}
          onChoose={choose}
          onBlock={setBlocking}
          mark={(name) => <OfAUser name={name} />}
        />
      )}
      {chosen.length > 0 && (
        <SelectionBar label="Selection" count={chosen.length}>
          <Button size="sm" onClick={() => setAsking(true)}>
            {chosen.length === 1 ? "Leave 1 key" : `Leave ${chosen.length} keys`}
          </Button>
          <Button size="sm" variant="default" onClick={() => choose([])}>
            Clear
          </Button>
        </SelectionBar>
      )}
      <BlockDialog of={blocking} onClose={() => setBlocking(null)} onBlocked={finishBlocking} />
      <LeaveDialog
        keys={chosen}
        username={username}
        origin={origin}
        opened={asking}
        onClose={() => setAsking(false)}
        onLeft={finish}
      />
    </>
  );
}
