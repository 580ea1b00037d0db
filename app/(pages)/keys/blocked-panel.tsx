"use client";

import { useState } from "react";
import rows from "@/components/content/facts.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { useToast } from "@/components/feedback/toast";
import { Actions } from "@/components/frame/panel";
import type { BlockedGiver } from "@/lib/keys/block";
import { counted } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { block, unblock } from "./actions";
import styles from "./keys.module.css";

interface BlockedListProps {
  blocked: { username: string; since: Date }[];
  onUnblock: (username: string) => void;
  /** The user whose button was pressed. */
  unblocking: string | null;
}

/** The users whom the viewer blocks, each with a button to unblock. */
function BlockedList({ blocked, onUnblock, unblocking }: BlockedListProps) {
  return (
    <ul className={rows.list} aria-label="Blocked people">
      {blocked.map(({ username, since }) => (
        <li key={username}>
          <span>
            <strong translate="no">{username}</strong>
            <span className={rows.detail}>
              Blocked <When at={since} />
            </span>
          </span>
          <SteadyButton
            variant="default"
            size="xs"
            aria-label={`Unblock ${username}`}
            loading={unblocking === username}
            disabled={unblocking !== null && unblocking !== username}
            onClick={() => onUnblock(username)}
          >
            Unblock
          </SteadyButton>
        </li>
      ))}
    </ul>
  );
}

interface BlockDialogProps {
  /** A key of the giver to block; null if the dialog is closed. */
  of: { creator: string; ofCreator: number | null } | null;
  onClose: () => void;
  /** Called with a sentence about what was done. */
  onBlocked: (sentence: string) => void;
}

/** Asks before blocking somebody, and whether to leave all keys of theirs. */
export function BlockDialog({ of, onClose, onBlocked }: BlockDialogProps) {
  const { run, busy, error, clear } = useAction();
  const name = of?.creator ?? "";
  const held = of?.ofCreator ?? 0;
  const all = held === 1 ? "the key" : `all ${counted(held, "key", "keys")}`;

  async function submit(andLeave: boolean) {
    const outcome = await run(block, { username: name, andLeave });
    if (!outcome) return;
    onBlocked(
      andLeave ? `${name} is blocked, and you left ${counted(outcome.ok, "key", "keys")}.` : `${name} is blocked.`,
    );
  }

  function close() {
    clear();
    onClose();
  }

  return (
    <Dialog opened={of !== null} onClose={close} title={`Block ${name}?`}>
      <p>
        From now on, you won't receive keys that <span translate="no">{name}</span> adds you to.{" "}
        <span translate="no">{name}</span> isn't told, and still sees you among the holders of such a key.
      </p>
      <p>{`You can also leave ${all} that ${name} gave you. After that, only ${name} can add you again.`}</p>
      <ErrorNotice error={error} />
      <Actions>
        <SteadyButton color="red" onClick={() => submit(true)} loading={busy}>{`Block and leave ${all}`}</SteadyButton>
        <SteadyButton variant="default" onClick={() => submit(false)} disabled={busy}>
          Block only
        </SteadyButton>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </Actions>
    </Dialog>
  );
}

/** The givers whom the caller blocks, with buttons to unblock them. Nothing if there are none. */
export function BlockedPanel({ blocked }: { blocked: BlockedGiver[] }) {
  const { run, busy, error } = useAction();
  const toast = useToast();
  const [chosen, setChosen] = useState<string | null>(null);

  async function end(username: string) {
    setChosen(username);
    if (!(await run(unblock, username))) return;
    toast({ text: `${username} can add you to keys again.`, undo: () => blockAgain(username) });
  }

  async function blockAgain(username: string) {
    if (await run(block, { username, andLeave: false })) toast({ text: `${username} is blocked again.` });
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
