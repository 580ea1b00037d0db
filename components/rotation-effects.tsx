"use client";

import type { ReactNode } from "react";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/list";
import styles from "./content.module.css";
import { RelativeTime } from "./time";
import { networkName } from "./words";

/** Further programs are shown on request. */
const SHOWN = 5;
const MAX_LISTED = 200;

interface ListedProps<Item> {
  items: Item[];
  /** Stands below them. */
  note?: string;
  children: (item: Item) => ReactNode;
}

/** What `children` makes of each: some, and the others on request. */
function Listed<Item extends { id: string }>({ items, note, children }: ListedProps<Item>) {
  const rows = items.map((item) => <li key={item.id}>{children(item)}</li>);
  return (
    <div className={styles.more}>
      <ul className={styles.programs}>{rows.slice(0, SHOWN)}</ul>
      {rows.length > SHOWN && (
        <details>
          <summary>{`${(rows.length - SHOWN).toLocaleString("en")} more`}</summary>
          <ul className={styles.programs}>{rows.slice(SHOWN)}</ul>
          {note && <p>{note}</p>}
        </details>
      )}
    </div>
  );
}

interface RotationEffectsProps {
  /** The programs that hold the account's token, latest first. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
}

/** Which programs stop when the account's token is rotated, and which go on. Nothing if there are none. */
export function RotationEffects({ programs, tokens }: RotationEffectsProps) {
  const going = tokens.filter(({ state }) => state !== "ended");
  return (
    <>
      {programs.length > 0 && (
        <>
          <p>These programs lose access until you link them again:</p>
          <Listed
            items={programs.slice(0, MAX_LISTED)}
            note={programs.length > MAX_LISTED ? `Only the latest ${MAX_LISTED} are listed.` : undefined}
          >
            {({ program, network, linkedAt, collected }) => (
              <>
                <strong translate={program ? "no" : undefined}>{program || "Unnamed program"}</strong>, from{" "}
                <span translate="no">{networkName(network)}</span>, linked{" "}
                <RelativeTime at={new Date(linkedAt)} precise />
                {!collected && <span>, not collected yet</span>}
              </>
            )}
          </Listed>
        </>
      )}
      {going.length > 0 && (
        <>
          <p>These have tokens of their own, and keep working:</p>
          <Listed items={going}>{({ name }) => <strong translate="no">{name}</strong>}</Listed>
        </>
      )}
    </>
  );
}
