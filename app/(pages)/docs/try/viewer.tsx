"use client";

import "./viewer.css";
import { useEffect, useRef, useState } from "react";
import { Notice } from "@/components/notice";
import { UNREACHABLE } from "../../unreachable";
import { requestsOnly } from "./requests-only";

/** Swagger UI on this service's own description. It is large, so it comes when the page is there. */
export function Viewer() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"loading" | "there" | "failed">("loading");

  useEffect(() => {
    const domNode = place.current;
    if (!domNode) return;
    let gone = false;
    import("swagger-ui-dist/swagger-ui-es-bundle.js").then(
      ({ default: SwaggerUI }) => {
        if (gone) return;
        SwaggerUI({
          domNode,
          url: "/openapi.json",
          deepLinking: true,
          docExpansion: "list",
          defaultModelsExpandDepth: -1,
          displayRequestDuration: true,
          // It would write dark colours of its own into each element.
          syntaxHighlight: { activated: false },
          tryItOutEnabled: true,
          validatorUrl: null,
          plugins: [requestsOnly],
          layout: "RequestsOnly",
        });
        setState("there");
      },
      () => setState("failed"),
    );
    return () => {
      gone = true;
    };
  }, []);

  return (
    <>
      {state === "loading" && <p role="status">Loading…</p>}
      <Notice kind="error">{state === "failed" && UNREACHABLE}</Notice>
      <div ref={place} className="viewer" />
    </>
  );
}
