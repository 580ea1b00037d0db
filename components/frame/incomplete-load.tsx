"use client";

import { useEffect, useState } from "react";
import styles from "./incomplete-load.module.css";

export const INCOMPLETE = "This page has not loaded completely";
const HELP = "Reload it. If that doesn't help, try another network or browser.";
export const PART_MISSING = `A part of it is missing, perhaps because the service was updated. ${HELP}`;

/**
 * Whether a part of the page's script could not be loaded, by what its error boundary was given. React does not ask
 * for it again: only the page loaded anew does.
 */
export const isPartMissing = (thrown: unknown) => thrown instanceof Error && thrown.name === "ChunkLoadError";

/**
 * Says that the page's forms and buttons do not work, because a script is missing. It is in every page as the server
 * sends it, and shown only if the page's script has not removed it after some seconds.
 */
export function IncompleteLoad() {
  const [isComplete, setComplete] = useState(false);
  useEffect(() => setComplete(true), []);
  if (isComplete) return null;
  return (
    <p role="alert" className={styles.words}>{`${INCOMPLETE}, so its forms and buttons don't work yet. ${HELP}`}</p>
  );
}
