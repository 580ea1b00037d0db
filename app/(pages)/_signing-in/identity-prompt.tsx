"use client";

import { type ComponentType, type MouseEvent, type ReactNode, useRef, useState } from "react";
import type { ConfirmationMethods } from "@/lib/accounts/ways-in/confirm";
import { ConfirmIdentityContext, useAction } from "../use-action";
import { prove } from "./identity-actions";
import type { IdentityDialogProps } from "./identity-dialog";

interface Question extends IdentityDialogProps {
  Dialog: ComponentType<IdentityDialogProps>;
}

/** Around all pages: the one dialog in which users confirm who they are. Its code is loaded when it is needed. */
export function IdentityPrompt({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const open = useRef<Promise<boolean> | null>(null);

  async function show(methods: ConfirmationMethods): Promise<boolean> {
    const { IdentityDialog } = await import("./identity-dialog");
    const confirmed = await new Promise<boolean>((onAnswer) =>
      setQuestion({ Dialog: IdentityDialog, methods, onAnswer }),
    );
    setQuestion(null);
    return confirmed;
  }

  // Whoever else must ask meanwhile waits for the same answer.
  function prompt(methods: ConfirmationMethods): Promise<boolean> {
    open.current ??= show(methods).finally(() => {
      open.current = null;
    });
    return open.current;
  }

  return (
    <ConfirmIdentityContext value={prompt}>
      {children}
      {question && <question.Dialog methods={question.methods} onAnswer={question.onAnswer} />}
    </ConfirmIdentityContext>
  );
}

/**
 * For links to downloads that need a recent proof: `confirmFirst` is called when one is pressed. Its user may have to
 * confirm who they are first.
 */
export function useProvenDownload() {
  const { run, error } = useAction();
  const isAllowed = useRef(false);

  async function confirmFirst(event: MouseEvent<HTMLAnchorElement>) {
    if (isAllowed.current) return;
    event.preventDefault();
    const link = event.currentTarget;
    if (!(await run(prove))) return;
    isAllowed.current = true;
    link.click();
    isAllowed.current = false;
  }

  return { confirmFirst, error };
}
