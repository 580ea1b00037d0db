"use client";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import type { GivenKey } from "@/components/keys/given-keys";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { block } from "./actions";

interface BlockDialogProps {
  /** A key of the giver to block; null if the dialog is closed. */
  of: GivenKey | null;
  onClose: () => void;
  /** Called with a sentence about what was done. */
  onBlocked: (sentence: string) => void;
}

/** Asks before blocking somebody, and whether to leave all keys of theirs. */
export function BlockDialog({ of, onClose, onBlocked }: BlockDialogProps) {
  const { run, busy, error, clear } = useAction();
  const name = of?.creator ?? "";
  const held = of?.ofCreator ?? 0;
  const all = held === 1 ? "the key" : `all ${held.toLocaleString("en")} keys`;

  async function submit(andLeave: boolean) {
    const answer = await run(() => block(name, andLeave));
    if (!answer) return;
    onBlocked(
      andLeave
        ? `${name} is blocked, and you left ` +
            `${answer.ok === 1 ? "1 key" : `${answer.ok.toLocaleString("en")} keys`}.`
        : `${name} is blocked.`,
    );
  }

  function close() {
    clear();
    onClose();
  }

  return (
    <Dialog opened={of !== null} onClose={close} title={`Block ${name}?`}>
      <p>
        From now on, you won't get keys that <span translate="no">{name}</span> adds you to.{" "}
        <span translate="no">{name}</span> isn't told, and still sees you among the holders of such a key.
      </p>
      <p>{`You can also leave ${all} that ${name} gave you. After that, only ${name} can add you again.`}</p>
      <ErrorNotice error={error} />
      <Actions>
        <Button color="red" onClick={() => submit(true)} loading={busy}>{`Block and leave ${all}`}</Button>
        <Button variant="default" onClick={() => submit(false)} disabled={busy}>
          Block only
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </Actions>
    </Dialog>
  );
}
