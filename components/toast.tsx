"use client";

import { usePathname } from "next/navigation";
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { Button, IconButton } from "./buttons";
import { IconX } from "./icons";
import styles from "./toast.module.css";

interface Toast {
  /** What happened, to what, where: one sentence. */
  text: string;
  /** Takes it back. Offered as a button. */
  undo?: () => void;
}

type Shown = Toast & { id: number };

/** Older ones go. */
const MAX_SHOWN = 3;
const SHOWN_MS = 6_000;
/** Deciding takes longer than reading. */
const SHOWN_WITH_UNDO_MS = 12_000;

const ToastContext = createContext<(toast: Toast) => void>(() => {});

/** Shows a toast: a confirmation that waits for nobody. What the user must act on belongs on the page. */
export function useToast(): (toast: Toast) => void {
  return useContext(ToastContext);
}

/** Around what calls `useToast`. Shows its toasts at the bottom of the window, above the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const [path, setPath] = useState<string>();
  const last = useRef(0);
  const before = useRef<Element | null>(null);

  // Only the page that did it can take it back.
  const current = usePathname();
  if (path !== current) {
    setPath(current);
    setToasts((shown) => shown.filter(({ undo }) => !undo));
  }

  const show = useCallback((toast: Toast) => {
    last.current += 1;
    const shown = { ...toast, id: last.current };
    // What is said again is there once.
    const isOther = ({ text, undo }: Shown) => undo !== undefined || text !== toast.text;
    setToasts((earlier) => [...earlier.filter(isOther), shown].slice(-MAX_SHOWN));
  }, []);
  const dismiss = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);

  function rememberFocus({ relatedTarget, currentTarget }: FocusEvent) {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  }

  /** The focus would otherwise be lost with the button that had it. */
  function close(id: number) {
    dismiss(id);
    if (before.current instanceof HTMLElement) before.current.focus();
    before.current = null;
  }

  return (
    <ToastContext value={show}>
      {children}
      <div role="status" className={styles.region} onFocus={rememberFocus}>
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onOver={dismiss} onClose={close} />
        ))}
      </div>
    </ToastContext>
  );
}

interface ToastCardProps {
  toast: Shown;
  /** Its time is over. */
  onOver: (id: number) => void;
  /** The user closes it. */
  onClose: (id: number) => void;
}

function ToastCard({ toast: { id, text, undo }, onOver, onClose }: ToastCardProps) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isHovered || isFocused;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => onOver(id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, undo, id, onOver]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: looked at, it stays; nothing here reacts to a press.
    <div
      className={styles.toast}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <p>{text}</p>
      {undo && (
        <Button
          size="xs"
          variant="subtle"
          className={styles.undo}
          onClick={() => {
            onClose(id);
            undo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton className={styles.close} aria-label="Dismiss" onClick={() => onClose(id)}>
        <IconX size={16} />
      </IconButton>
    </div>
  );
}
