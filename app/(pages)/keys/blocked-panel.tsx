"use client";

import { useState } from "react";
import { BlockedList } from "@/components/keys/blocked-list";
import { Notice } from "@/components/notice";
import type { BlockedGiver } from "@/lib/keys/blocks";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { unblock } from "./actions";
import styles from "./keys.module.css";

/** Whom the viewer takes no keys from, and the way to take them again. Nothing where there is nobody. */
export function BlockedPanel({ blocked }: { blocked: BlockedGiver[] }) {
  const { run, busy, error, done, setDone } = useAction();
  const [chosen, setChosen] = useState<string | null>(null);

  async function end(username: string) {
    setChosen(username);
    if (await run(() => unblock(username))) setDone(`${username} can add you to keys again.`);
  }

  return (
    <>
      {blocked.length > 0 && (
        <section className={styles.stack} aria-labelledby="blocked">
          <h2 id="blocked">Blocked</h2>
          <p className={styles.soft}>What they add you to is not given to you, and they are not told. Once unblocked, they have to add you again.</p>
          <BlockedList blocked={blocked} onUnblock={end} unblocking={busy ? chosen : null} />
        </section>
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
    </>
  );
}
