"use client";

import { useEffect, useState } from "react";
import form from "@/components/form.module.css";

/**
 * The reference for the operator to find the cause of a failed page in the log: its request's id, which reveals nothing
 * to outsiders. `digest` is used if the page was loaded and failed later: then the id of that request is unknown here.
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
      If this keeps happening, give the operator of this service this reference: <code translate="no">{reference}</code>
    </p>
  );
}
