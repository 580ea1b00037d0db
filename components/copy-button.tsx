"use client";

import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

/**
 * Copies `text`, or what `text` fetches, and confirms it for two seconds. Then `onCopied` is called, or `onBlocked` if
 * the browser refuses to copy.
 */
export function CopyButton({
  text,
  label = "Copy",
  isMain = false,
  onCopied,
  onBlocked,
}: {
  text: string | (() => Promise<string | null>);
  label?: string;
  /** What most people came for. */
  isMain?: boolean;
  onCopied?: () => void;
  onBlocked?: () => void;
}) {
  const [copied, setCopied] = useState(false);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    setBusy(true);
    const found = typeof text === "string" ? text : await text();
    if (found !== null) {
      const done = await copyToClipboard(found);
      setCopied(done);
      if (done) onCopied?.();
      else onBlocked?.();
    }
    setBusy(false);
  }

  return (
    <Button
      variant={isMain ? "filled" : "default"}
      size="sm"
      onClick={copy}
      loading={busy}
      leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    >
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** Returns whether it was copied. Over plain HTTP, browsers offer only the old way. */
async function copyToClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
