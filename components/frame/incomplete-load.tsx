"use client";

import { useEffect, useState } from "react";
import { INCOMPLETE, RELOAD } from "../feedback/missing-part";
import styles from "./incomplete-load.module.css";

/**
 * Says that the page's forms and buttons do not work, because a script is missing. It is in every page as the server
 * sends it, and shown only if the page's script has not removed it after some seconds.
 */
export function IncompleteLoad() {
  const [isComplete, setComplete] = useState(false);
  useEffect(() => setComplete(true), []);
  if (isComplete) return null;
  return (
    <p role="alert" className={styles.words}>{`${INCOMPLETE}, so its forms and buttons don't work yet. ${RELOAD}`}</p>
  );
}
