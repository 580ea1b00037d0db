"use client";

import { type ReactNode, useEffect, useRef } from "react";

interface FormProps {
  /** Gets what the fields hold. They keep it. */
  onSubmit: (fields: FormData) => void;
  /** Why it was refused. Each new one leads to the first field that is marked as invalid. */
  failure?: object | null;
  className?: string;
  children: ReactNode;
}

/**
 * A form that this page's script sends, never the browser itself. What is sent before the script has loaded waits for it
 * (React keeps it, because `action` is a function), and without JavaScript nothing is sent: no password gets into an address.
 */
export function Form({ onSubmit, failure, className, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);

  // React would show what `onSubmit` sets only when the action is over, and then empty the fields.
  const submit = (fields: FormData) => queueMicrotask(() => onSubmit(fields));
  return (
    <form ref={form} action={submit} onReset={(event) => event.preventDefault()} className={className}>
      {children}
    </form>
  );
}
