"use client";

import { type FormEvent, type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import { FieldErrors } from "./field";

interface FormProps {
  ref?: RefObject<HTMLFormElement | null>;
  /** Gets the values of the fields, which stay filled in. */
  onSubmit: (fields: FormData) => void;
  /**
   * Why it was refused. Each new failure focuses the first field marked as invalid; without one, the button that sent
   * the form, which was disabled meanwhile.
   */
  failure?: object | null;
  /** What is wrong with which fields, by their names. */
  errors?: Record<string, string>;
  /** The last message is about all fields, wherever it stands. */
  isAboutAll?: boolean;
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
export function Form({ ref, onSubmit, failure, errors = {}, isAboutAll, onEdit, className, children }: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  useEffect(() => {
    if (!failure) return;
    const invalid = form.current?.querySelector<HTMLElement>(INVALID);
    if (invalid) return invalid.focus();
    if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>("button[type=submit]")?.focus();
  }, [failure, form]);

  function edit({ target }: FormEvent) {
    const field = target as HTMLInputElement;
    if (isAboutAll || !form.current?.querySelector(INVALID)) onEdit?.();
    else if (field.matches(INVALID)) onEdit?.(field.name);
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
      <FieldErrors value={errors}>{children}</FieldErrors>
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
