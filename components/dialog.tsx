"use client";

import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./buttons";
import styles from "./dialog.module.css";
import { IconX } from "./icons";

/** What a person does something with. */
const ACTIVE = "a[href], button:enabled, input:enabled, select, summary, textarea";

interface DialogProps {
  /** Also called if the Escape key closed it. */
  onClose: () => void;
  title: string;
  /** For content to look at, not only a question. */
  wide?: boolean;
  /** Called instead of closing it, if the Escape key was pressed: it must not be left by accident, and has no ✕. */
  onEscape?: () => void;
  children: ReactNode;
}

/**
 * A modal question or view, open for as long as it is rendered. The browser's own dialog keeps the focus inside and the
 * page behind it inert.
 */
export function Dialog({ onClose, title, wide = false, onEscape, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // A time that loses the focus becomes shorter: what is below would move away from under a press.
    if (document.activeElement instanceof HTMLTimeElement) current?.querySelector<HTMLElement>(ACTIVE)?.focus();
    // The browser gives the focus back where it was, which it does not when the dialog only disappears.
    return () => current?.close();
  }, []);

  // At once: the browser gives the focus back before it says that the dialog is closed, and what is pressed in between
  // would open nothing.
  function escaped(event: SyntheticEvent) {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    if (onEscape) return onEscape();
    dialog.current?.close();
    onClose();
  }

  // Browsers close it at a second Escape, whatever the page says about the first.
  function closed() {
    // It is gone, or was opened again meanwhile.
    if (!dialog.current || dialog.current.open) return;
    if (onEscape) dialog.current.showModal();
    else onClose();
  }

  return (
    <dialog
      ref={dialog}
      onCancel={escaped}
      onClose={closed}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={id}
    >
      <div className={styles.content}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {!onEscape && (
        <IconButton aria-label="Close this dialog" className={styles.close} onClick={() => dialog.current?.close()}>
          <IconX size={18} />
        </IconButton>
      )}
    </dialog>
  );
}
