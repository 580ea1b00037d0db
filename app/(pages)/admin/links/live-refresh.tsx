"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import styles from "./links.module.css";

const EVERY_MS = 5_000;

/** Reads the page again every five seconds, and when it is looked at again. Not while nobody can see it. */
export function LiveRefresh() {
  const router = useRouter();

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") router.refresh();
    };
    const timer = setInterval(refresh, EVERY_MS);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router]);

  return <p className={styles.live}>Updated every few seconds.</p>;
}
