"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { isReachable } from "./failures";
import { Notice } from "./feedback";

/**
 * Refreshes the page at this interval while it is visible, and shows when the service is unreachable. It checks the
 * health route first, because a failed refresh makes Next leave the page for the browser's own error page.
 */
export function LiveRefresh({ seconds }: { seconds: number }) {
  const router = useRouter();
  const [isLost, setLost] = useState(false);

  useEffect(() => {
    let isOver = false;
    const refresh = async () => {
      if (document.visibilityState !== "visible") return;
      const isThere = await isReachable();
      if (isOver) return;
      setLost(!isThere);
      if (isThere) router.refresh();
    };
    const timer = setInterval(refresh, seconds * 1_000);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router, seconds]);

  return (
    <Notice kind="error">
      {isLost && "The service can't be reached right now. This page will continue automatically when it is back."}
    </Notice>
  );
}
