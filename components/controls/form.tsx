"use client";

import { type FormEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";

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
 * A form that the page's script sends, not the browser. One submitted before the script has loaded waits for it
 * (components/frame/early-press.tsx). Without JavaScript the browser sends it, in a body and never in the address, and
 * the service says what is missing (server/gate.ts). React would leave out the method if `action` were a function.
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

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const { submitter } = event.nativeEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name) fields.append(submitter.name, submitter.value);
    onSubmit(fields);
  }

  return (
    <form ref={form} method="post" onSubmit={submit} onChange={onEdit && edit} className={className}>
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
