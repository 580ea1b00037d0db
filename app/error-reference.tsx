"use client";

import { useEffect, useState } from "react";
import form from "@/components/form.module.css";

/**
 * By what whoever runs the service finds in the log why this page failed: its request's id, which tells an outsider nothing.
 * `digest` stands in where the page had been loaded and failed later: then nothing here knows that request's id.
 */
export function ErrorReference({ digest }: { digest?: string }) {
  const [reference, setReference] = useState(digest);

  useEffect(() => {
    const [loaded] = performance.getEntriesByType("navigation");
    const hasFailed = loaded instanceof PerformanceNavigationTiming && loaded.responseStatus >= 500;
    const { requestId } = document.documentElement.dataset;
    if (hasFailed && requestId) setReference(requestId);
  }, []);

  if (!reference) return null;
  return (
    <p className={form.lead}>
      If it stays so, tell whoever runs this service the reference <code>{reference}</code>.
    </p>
  );
}
