"use client";

import { useEffect, useState } from "react";
import { INCOMPLETE, RELOAD } from "./failures";
import styles from "./shell.module.css";

const READY = "latchkey:ready";

/** Set at the document once one of the page's scripts could not be loaded: `IncompleteLoad` says so soon then. */
const FAILED = "data-script-failed";

/**
 * To React, a box is as it was, so it is set back and clicked; the next one after a moment, in which React does what
 * follows.
 */
const REPLAY = `{
  let pressed;
  const ticked = new Set();
  const mark = (element) => {
    pressed?.removeAttribute("data-pressed");
    pressed = element;
    pressed.setAttribute("data-pressed", "");
  };
  const keep = ({ target }) => {
    if (target.matches("input[type=checkbox]")) ticked.delete(target) || ticked.add(target);
    const button = target.closest("button[type=button]");
    if (button) mark(button);
  };
  const hold = (event) => {
    if (event.target.getAttribute("method") !== "post") return;
    event.preventDefault();
    mark(event.submitter ?? event.target);
  };
  const fail = ({ target }) => {
    if (target.localName === "script") document.documentElement.setAttribute("${FAILED}", "");
  };
  addEventListener("click", keep, true);
  addEventListener("submit", hold, true);
  addEventListener("error", fail, true);
  addEventListener("${READY}", async () => {
    removeEventListener("click", keep, true);
    removeEventListener("submit", hold, true);
    removeEventListener("error", fail, true);
    for (const box of ticked) {
      box.checked = !box.checked;
      box.click();
      await null;
    }
    pressed?.removeAttribute("data-pressed");
    if (pressed?.localName === "form") pressed.requestSubmit();
    else pressed?.click();
  }, { once: true });
}`;

/**
 * Remembers the last button pressed or form submitted, and the boxes ticked or unticked, before the page's script has
 * loaded, and does it again afterwards.
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

/**
 * Says that the page's forms and buttons do not work, because a script is missing. It is in every page as the server
 * sends it, and shown only if the page's script has not removed it after some seconds.
 */
export function IncompleteLoad() {
  const [isComplete, setComplete] = useState(false);
  useEffect(() => setComplete(true), []);
  if (isComplete) return null;
  return (
    <p role="alert" className={styles.incomplete}>
      {`${INCOMPLETE}, so its forms and buttons don't work yet. ${RELOAD}`}
    </p>
  );
}
