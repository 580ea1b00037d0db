"use client";

import { useState } from "react";
import { BlockedList } from "@/components/keys/blocked-list";
import { useToast } from "@/components/toast";
import type { BlockedGiver } from "@/lib/keys/block";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { block, unblock } from "./actions";
import styles from "./keys.module.css";

/** The givers whom the caller blocks, with buttons to unblock them. Nothing if there are none. */
export function BlockedPanel({ blocked }: { blocked: BlockedGiver[] }) {
  const { run, busy, error } = useAction();
  const toast = useToast();
  const [chosen, setChosen] = useState<string | null>(null);

  async function end(username: string) {
    setChosen(username);
    if (!(await run(() => unblock(username)))) return;
    toast({ text: `${username} can add you to keys again.`, undo: () => blockAgain(username) });
  }

  async function blockAgain(username: string) {
    if (await run(() => block(username, false))) toast({ text: `${username} is blocked again.` });
  }

  return (
    <>
      {blocked.length > 0 && (
        <section className={styles.stack} aria-labelledby="blocked">
          <h2 id="blocked">Blocked</h2>
          <p className={styles.soft}>
            You don't get the keys they add you to, and they aren't told. Once unblocked, they have to add you again.
          </p>
          <BlockedList blocked={blocked} onUnblock={end} unblocking={busy ? chosen : null} />
        </section>
      )}
      <ErrorNotice error={error} />
    </>
  );
}
