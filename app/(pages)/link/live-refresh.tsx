"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Notice } from "@/components/notice";

/**
 * Brings the page up to date every so many seconds while somebody looks at it, and says so while the service is out of reach.
 * It is asked for its health first, because Next leaves the page for the browser's own error page when it cannot refresh.
 */
export function LiveRefresh({ seconds }: { seconds: number }) {
  const router = useRouter();
  const [isLost, setLost] = useState(false);

  useEffect(() => {
    let isOver = false;
    const refresh = async () => {
      if (document.visibilityState !== "visible") return;
      const isThere = await fetch("/health", { cache: "no-store" }).then(
        ({ ok }) => ok,
        () => false,
      );
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

  return <Notice kind="error">{isLost && "The service cannot be reached at the moment. This page goes on by itself when it is back."}</Notice>;
}
