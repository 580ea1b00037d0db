"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Notice } from "@/components/feedback/notice";

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

  return (
    <Notice kind="error">
      {isLost && "The service can't be reached right now. This page will continue automatically when it is back."}
    </Notice>
  );
}

/** Refreshes the page as soon as its request is no longer at this `version`. */
export function FollowRequest({ ticketId, version }: { ticketId: string; version: string }) {
  const router = useRouter();

  useEffect(() => {
    const client = new AbortController();
    const parameters = new URLSearchParams({ request: ticketId, version });
    const follow = async () => {
      while (!client.signal.aborted) {
        const { status } = await fetch(`/link/changes?${parameters}`, { cache: "no-store", signal: client.signal });
        if (status === 200) router.refresh();
        // Nothing new, or it cannot wait: the interval goes on.
        if (status !== 204) return;
      }
    };
    follow().catch(() => {});
    return () => client.abort();
  }, [router, ticketId, version]);

  return null;
}
