"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { useToast } from "@/components/toast";
import { ConfirmDialog } from "../../confirm-dialog";
import type { Outcome } from "../../outcome";

interface TakeAwayProps {
  /** The word of the button: End, Remove. */
  verb: string;
  /** What it takes away, as in “Remove Laptop?”. */
  what: string;
  /** The button says what it takes away, because it does not stand beside it. */
  isAlone?: boolean;
  action: () => Promise<Outcome<void>>;
  /** What is said when it is done. */
  done: string;
  /** What it means. */
  children: ReactNode;
}

/** A button that asks before it takes something away from a user. */
export function TakeAway({ verb, what, isAlone = false, action, done, children }: TakeAwayProps) {
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" aria-label={`${verb} ${what}`} onClick={() => setAsking(true)}>
        {isAlone ? `${verb} ${what}` : verb}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`${verb} ${what}?`}
        confirm={verb}
        action={action}
        onClose={() => setAsking(false)}
        onDone={() => toast({ text: done })}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}
