"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./dialog.module.css";

interface DialogProps {
  opened: boolean;
  /** Called when it was closed by the Escape key too. */
  onClose: () => void;
  title: string;
  /** For something to look at, not only to answer. */
  wide?: boolean;
  children: ReactNode;
}

/** A question, or something to look at, before the page goes on. The browser's own dialog keeps the focus inside and the page behind it still. */
export function Dialog({ opened, onClose, title, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    if (opened && !dialog.current?.open) dialog.current?.showModal();
    if (!opened) dialog.current?.close();
  }, [opened]);

  return (
    <dialog ref={dialog} onClose={onClose} className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog} aria-labelledby={id}>
      <div className={styles.content}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
