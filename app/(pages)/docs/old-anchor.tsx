"use client";

import { useEffect } from "react";

/** Links to a route from before it had an id, like `#/Keys/keysCreate`, still lead to it. */
export function OldAnchor() {
  useEffect(() => {
    const [, operation] = /^#\/[^/]+\/(\w+)$/.exec(location.hash) ?? [];
    const route = operation && document.querySelector(`[data-operation="${operation}"]`);
    if (route) location.replace(`#${route.id}`);
  }, []);
  return null;
}
