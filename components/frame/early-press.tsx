"use client";

import { useEffect } from "react";

const READY = "latchkey:ready";

/**
 * Forms need no help: React keeps what they send. To React, a box is as it was, so it is set back and clicked; the next
 * one after a moment, in which React does what follows.
 */
const REPLAY = `{
  let pressed;
  const ticked = new Set();
  const keep = ({ target }) => {
    if (target.matches("input[type=checkbox]")) ticked.delete(target) || ticked.add(target);
    const button = target.closest("button[type=button]");
    if (!button) return;
    pressed?.removeAttribute("data-pressed");
    pressed = button;
    pressed.setAttribute("data-pressed", "");
  };
  addEventListener("click", keep, true);
  addEventListener("${READY}", async () => {
    removeEventListener("click", keep, true);
    for (const box of ticked) {
      box.checked = !box.checked;
      box.click();
      await null;
    }
    pressed?.removeAttribute("data-pressed");
    pressed?.click();
  }, { once: true });
}`;

/**
 * Remembers the last button pressed, and the boxes ticked or unticked, before the page's script has loaded, and does it
 * again afterwards.
 */
export function EarlyPress({ nonce }: { nonce: string }) {
  useEffect(() => {
    dispatchEvent(new Event(READY));
  }, []);
  // Browsers hide a nonce from scripts, React's included.
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {REPLAY}
    </script>
  );
}
