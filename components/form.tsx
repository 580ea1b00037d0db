"use client";

import type { ReactNode } from "react";

interface FormProps {
  /** Gets what the fields hold. They keep it. */
  onSubmit: (fields: FormData) => void;
  className?: string;
  children: ReactNode;
}

/**
 * A form that this page's script sends, never the browser itself. What is sent before the script has loaded waits for it
 * (React keeps it, because `action` is a function), and without JavaScript nothing is sent: no password gets into an address.
 */
export function Form({ onSubmit, className, children }: FormProps) {
  // React would show what `onSubmit` sets only when the action is over, and then empty the fields.
  const submit = (fields: FormData) => queueMicrotask(() => onSubmit(fields));
  return (
    <form action={submit} onReset={(event) => event.preventDefault()} className={className}>
      {children}
    </form>
  );
}
