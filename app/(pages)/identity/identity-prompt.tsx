"use client";

import { type ComponentType, type ReactNode, useRef, useState } from "react";
import type { ConfirmationMethods } from "@/lib/accounts/confirm";
import { ConfirmIdentityContext } from "../use-action";
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
