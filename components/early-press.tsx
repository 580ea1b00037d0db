"use client";

import { useEffect } from "react";

const READY = "latchkey:ready";

/** Forms need no help: React keeps what they send. */
const KEEP = `{
  let pressed;
  const keep = ({ target }) => {
    const button = target.closest("button[type=button]");
    if (!button) return;
    pressed?.removeAttribute("data-pressed");
    pressed = button;
    pressed.setAttribute("data-pressed", "");
  };
  addEventListener("click", keep, true);
  addEventListener("${READY}", () => {
    removeEventListener("click", keep, true);
    pressed?.removeAttribute("data-pressed");
    pressed?.click();
  }, { once: true });
}`;

/** Remembers the last button pressed before the page's script has loaded, and presses it again afterwards. */
export function EarlyPress({ nonce }: { nonce: string }) {
  useEffect(() => {
    dispatchEvent(new Event(READY));
  }, []);
  // Browsers hide a nonce from scripts, React's included.
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {KEEP}
    </script>
  );
}
