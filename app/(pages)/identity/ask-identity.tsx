"use client";

import { type ComponentType, createContext, type ReactNode, useContext, useRef, useState } from "react";
import type { WaysToConfirm } from "@/lib/auth/confirm";
import type { Outcome } from "../outcome";

export interface IdentityDialogProps {
  ways: WaysToConfirm;
  /** Called once: whether they confirmed. */
  onAnswer: (confirmed: boolean) => void;
}

interface Question extends IdentityDialogProps {
  Dialog: ComponentType<IdentityDialogProps>;
}

const AskingContext = createContext<(ways: WaysToConfirm) => Promise<boolean>>(async () => false);

/** Around all pages: the one dialog in which users confirm who they are. Its code is loaded when it is needed. */
export function AskIdentity({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const open = useRef<Promise<boolean> | null>(null);

  async function show(ways: WaysToConfirm): Promise<boolean> {
    const { IdentityDialog } = await import("./identity-dialog");
    const confirmed = await new Promise<boolean>((onAnswer) => setQuestion({ Dialog: IdentityDialog, ways, onAnswer }));
    setQuestion(null);
    return confirmed;
  }

  // Whoever else must ask meanwhile waits for the same answer.
  function ask(ways: WaysToConfirm): Promise<boolean> {
    open.current ??= show(ways).finally(() => {
      open.current = null;
    });
    return open.current;
  }

  return (
    <AskingContext value={ask}>
      {children}
      {question && <question.Dialog ways={question.ways} onAnswer={question.onAnswer} />}
    </AskingContext>
  );
}

/**
 * Runs an action. If its user must first confirm who they are, asks for it, and then runs the action again. Null: they
 * do not want to.
 */
export function useConfirmed() {
  const ask = useContext(AskingContext);
  return async function confirmed<T>(action: () => Promise<Outcome<T>>): Promise<Outcome<T> | null> {
    const answer = await action();
    if (!("error" in answer) || !answer.proof) return answer;
    return (await ask(answer.proof)) ? action() : null;
  };
}
