"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./dialog.module.css";

interface DialogProps {
  opened: boolean;
  /** Also called if the Escape key closed it. */
  onClose: () => void;
  title: string;
  /** For content to look at, not only a question. */
  wide?: boolean;
  children: ReactNode;
}

/** A modal question or view. The browser's own dialog keeps the focus inside and the page behind it inert. */
export function Dialog({ opened, onClose, title, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    if (opened && !dialog.current?.open) dialog.current?.showModal();
    if (!opened) dialog.current?.close();
  }, [opened]);

  return (
    <dialog
      ref={dialog}
      onClose={onClose}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={id}
    >
      <div className={styles.content}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
