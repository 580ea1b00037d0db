"use client";

import "./tokens.css";
import "./base.css";
import { INCOMPLETE, isPartMissing, RELOAD } from "@/components/failures";
import { textFontClasses } from "./text-font";

/** Replaces the whole document if even the layout failed. Every page loads it, so it is no more than its words. */
export default function GlobalError({ error }: { error: unknown }) {
  const isIncomplete = isPartMissing(error);
  const title = isIncomplete ? INCOMPLETE : "Something went wrong";
  return (
    <html lang="en" className={textFontClasses}>
      <body>
        <title>{`${title} · Latchkey`}</title>
        <main style={{ maxWidth: "26rem", margin: "15vh auto", padding: "1.5rem" }}>
          <h1>{title}</h1>
          <p>{isIncomplete ? RELOAD : "The service couldn't load this page. Try again in a moment."}</p>
          <button type="button" onClick={() => window.location.reload()}>
            Reload
          </button>
        </main>
      </body>
    </html>
  );
}
