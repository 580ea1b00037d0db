"use client";

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";

interface FormProps {
  /** Gets the values of the fields, which stay filled in. */
  onSubmit: (fields: FormData) => void;
  /**
   * Why it was refused. Each new failure focuses the first field marked as invalid; without one, the button that sent
   * the form, which was disabled meanwhile.
   */
  failure?: object | null;
  /**
   * Called when a person changes what the last message is about: with the name of the invalid field; without one, on
   * any field.
   */
  onEdit?: (field?: string) => void;
  className?: string;
  children: ReactNode;
}

const INVALID = "[aria-invalid=true]";

/**
 * A form that the page's script sends, never the browser itself. A form submitted before the script has loaded waits
 * for it (React keeps it, because `action` is a function). Without JavaScript nothing is sent, so no password gets into
 * an address.
 */
export function Form({ onSubmit, failure, onEdit, className, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!failure) return;
    const invalid = form.current?.querySelector<HTMLElement>(INVALID);
    if (invalid) return invalid.focus();
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>("button[type=submit]")?.focus();
  }, [failure]);

  function edit({ target }: FormEvent) {
    const field = target as HTMLInputElement;
    if (field.matches(INVALID)) onEdit?.(field.name);
    else if (!form.current?.querySelector(INVALID)) onEdit?.();
  }

  // React would show state set by `onSubmit` only when the action is over, and then clear the fields.
  const submit = (fields: FormData) => queueMicrotask(() => onSubmit(fields));
  return (
    <form
      ref={form}
      action={submit}
      onReset={(event) => event.preventDefault()}
      onChange={onEdit && edit}
      className={className}
    >
      {children}
    </form>
  );
}

/** The text of a field while it is edited, including text entered before this script had loaded. */
export function useFieldText(initial: string) {
  const [text, setText] = useState(initial);
  const ref = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (ref.current) setText(ref.current.value);
  }, []);

  const onChange = () => setText(ref.current?.value ?? "");

  return { text, setText, field: { ref, value: text, onChange } };
}
