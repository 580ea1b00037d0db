"use client";

import { Button } from "@mantine/core";
import { Dialog } from "@/components/dialog";
import type { GivenKey } from "@/components/keys/given-keys";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { block } from "./actions";

interface BlockDialogProps {
  /** A key of who is to be blocked; null while nobody is. */
  of: GivenKey | null;
  onClose: () => void;
  /** Told what was done. */
  onBlocked: (sentence: string) => void;
}

/** Asks before somebody is blocked, and whether to leave all keys of theirs. */
export function BlockDialog({ of, onClose, onBlocked }: BlockDialogProps) {
  const { run, busy, error } = useAction();
  const name = of?.creator ?? "";
  const held = of?.ofCreator ?? 0;
  const all = held === 1 ? "the key" : `all ${held.toLocaleString("en")} keys`;

  async function submit(andLeave: boolean) {
    const answer = await run(() => block(name, andLeave));
    if (!answer) return;
    onBlocked(
      andLeave ? `${name} is blocked, and you have left ${answer.ok === 1 ? "1 key" : `${answer.ok.toLocaleString("en")} keys`}.` : `${name} is blocked.`,
    );
  }

  return (
    <Dialog opened={of !== null} onClose={onClose} title={`Block ${name}?`}>
      <p>
        From now on you hold nothing that {name} adds you to. {name} is not told, and the list of such a key still names you.
      </p>
      <p>
        You can also leave {all} that {name} gave you. Only {name} could add you again then.
      </p>
      <ErrorNotice error={error} />
      <Actions>
        <Button color="red" onClick={() => submit(true)} loading={busy}>
          Block and leave {all}
        </Button>
        <Button variant="default" onClick={() => submit(false)} disabled={busy}>
          Block only
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Actions>
    </Dialog>
  );
}
