"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "./buttons";
import styles from "./copy-button.module.css";
import { Notice } from "./feedback";
import { IconCheck, IconCopy } from "./icons";
import { SteadyButton } from "./steady-button";

/**
 * Copies `text`, or what `text` fetches, confirms it for two seconds, and calls `onCopied`. If the browser refuses, it
 * shows the text, to be copied by hand; that calls `onCopied`, too.
 */
export function CopyButton({
  text,
  label = "Copy",
  isMain = false,
  onCopied,
}: {
  text: string | (() => Promise<string | null>);
  label?: string;
  /** What most people came for. */
  isMain?: boolean;
  onCopied?: () => void;
}) {
  const [copied, setCopied] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  // A button at work is disabled, and a field that goes is gone: both lose the keyboard focus.
  useEffect(() => {
    if (copied && document.activeElement === document.body) button.current?.focus();
  }, [copied]);

  function confirm() {
    setRefused(null);
    setCopied(true);
    onCopied?.();
  }

  async function copy() {
    setRefused(null);
    if (typeof text !== "string") setBusy(true);
    const content = typeof text === "string" ? text : await text();
    setBusy(false);
    if (content === null) return;
    if (await copyToClipboard(content, button.current?.closest("dialog") ?? document.body)) confirm();
    else setRefused(content);
  }

  // What is fetched is given away by the press.
  const Pressed = typeof text === "string" ? Button : SteadyButton;
  return (
    <>
      <Pressed
        ref={button}
        variant={isMain ? "filled" : "default"}
        size="sm"
        onClick={copy}
        loading={busy}
        leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      >
        <span aria-live="polite">{copied ? "Copied" : label}</span>
      </Pressed>
      {refused !== null && (
        <div className={styles.refused}>
          <Notice kind="error">Your browser blocked copying. Copy this text yourself: it is selected.</Notice>
          <textarea
            ref={selectAll}
            aria-label="Text to copy"
            value={refused}
            readOnly
            rows={Math.min(8, refused.split("\n").length + 1)}
            translate="no"
            className={styles.text}
            onCopy={({ currentTarget: { selectionStart, selectionEnd, value } }) => {
              // The browser copies after this.
              if (selectionEnd - selectionStart === value.length) setTimeout(confirm);
            }}
          />
        </div>
      )}
    </>
  );
}

function selectAll(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.select();
}

/** Returns whether it was copied. Over plain HTTP, browsers offer only `execCommand`. */
async function copyToClipboard(text: string, beside: Element): Promise<boolean> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return isCopied || copySelection(text, beside);
}

/**
 * Selects a field, which must be within the dialog that is open, because nothing behind it can be selected. Browsers
 * say that they copied even then, so only a copy that this field saw counts.
 */
function copySelection(text: string, beside: Element): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.position = "fixed";
  field.style.opacity = "0";
  let isSeen = false;
  field.addEventListener("copy", (event) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    isSeen = event.clipboardData !== null;
  });
  beside.append(field);
  field.focus({ preventScroll: true });
  // Safari on a phone selects a field that cannot be typed into this way only.
  field.setSelectionRange(0, text.length);
  const isDone = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isDone && isSeen;
}

/** A command to paste into a terminal, with its output. */
export function CommandLine({ command, output }: { command: string; output?: string }) {
  return (
    <div className={styles.terminal}>
      <pre translate="no" className={styles.commandLineText}>
        <span className={styles.prompt} aria-hidden="true">
          ${" "}
        </span>
        <code translate="no">{command}</code>
        {output && (
          <samp translate="no" className={styles.answer}>
            {output}
          </samp>
        )}
      </pre>
      <CopyButton text={command} />
    </div>
  );
}
