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

const PAUSE_MS = 1_000;

/** Refreshes the page as soon as its request is no longer at this `version`, while it is visible. */
export function FollowRequest({ ticket, version }: { ticket: string; version: string }) {
  const router = useRouter();

  useEffect(() => {
    let client = new AbortController();
    const follow = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        const state = await readChanges(ticket, version, signal);
        if (signal.aborted || state === "unknown") return;
        if (state === "changed") return router.refresh();
        // The service may be full or about to stop.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    // A hidden page gives its connection back: a browser has six for all pages of a site.
    const begin = () => {
      client.abort();
      client = new AbortController();
      if (document.visibilityState === "visible") void follow(client);
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      client.abort();
      document.removeEventListener("visibilitychange", begin);
    };
  }, [router, ticket, version]);

  return null;
}

/** Waits for the service, up to 25 seconds. Resolves with "" if nothing changed, or the service cannot say. */
function readChanges(ticket: string, version: string, signal: AbortSignal): Promise<string> {
  const address = `/link-changes?${new URLSearchParams({ version })}`;
  return fetch(address, { cache: "no-store", headers: { "Link-Ticket": ticket }, signal })
    .then((response) => (response.ok ? response.text() : ""))
    .then(
      (text) => text.trim(),
      () => "",
    );
}
