"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { type GivenKey, GivenKeys } from "@/components/keys/given-keys";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { BlockDialog } from "./block-dialog";
import { LeaveDialog } from "./leave-dialog";

interface LeaveKeysProps {
  keys: GivenKey[];
  /** Usernames of those whom the viewer blocks. */
  blocked: string[];
  username: string;
  origin: string;
}

/** The keys from others, of which the viewer can leave several at once, or all of one maker's who is blocked. */
export function LeaveKeys({ keys, blocked, username, origin }: LeaveKeysProps) {
  const [ticked, setTicked] = useState<string[]>([]);
  const [asking, setAsking] = useState(false);
  const [blocking, setBlocking] = useState<GivenKey | null>(null);
  const [done, setDone] = useState("");
  const chosen = keys.filter(({ id }) => ticked.includes(id));

  function ask() {
    setDone("");
    setAsking(true);
  }

  function finishBlocking(sentence: string) {
    setBlocking(null);
    setTicked([]);
    setDone(sentence);
  }

  function finish(left: number) {
    setAsking(false);
    setTicked([]);
    setDone(left === 1 ? "You have left 1 key." : `You have left ${left} keys.`);
  }

  return (
    <>
      <Notice kind="done">{done}</Notice>
      {keys.length > 0 && (
        <>
          <GivenKeys keys={keys} blocked={blocked} chosen={chosen.map(({ id }) => id)} onChoose={setTicked} onBlock={setBlocking} />
          <Actions>
            <Button size="sm" variant="default" disabled={chosen.length === 0} onClick={ask}>
              {chosen.length === 0 ? "Leave the chosen ones" : chosen.length === 1 ? "Leave 1 key" : `Leave ${chosen.length} keys`}
            </Button>
          </Actions>
        </>
      )}
      <BlockDialog of={blocking} onClose={() => setBlocking(null)} onBlocked={finishBlocking} />
      <LeaveDialog keys={chosen} username={username} origin={origin} opened={asking} onClose={() => setAsking(false)} onLeft={finish} />
    </>
  );
}
