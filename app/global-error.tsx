"use client";

import "./tokens.css";
import "./base.css";
import { textFontClasses } from "./text-font";

/** Replaces the whole document if even the layout failed. Every page loads it, so it is no more than its words. */
export default function GlobalError() {
  return (
    <html lang="en" className={textFontClasses}>
      <body>
        <title>Something went wrong · Latchkey</title>
        <main style={{ maxWidth: "26rem", margin: "15vh auto", padding: "1.5rem" }}>
          <h1>Something went wrong</h1>
          <p>The service couldn't load this page. Try again in a moment.</p>
          <button type="button" onClick={() => window.location.reload()}>
            Reload
          </button>
        </main>
      </body>
    </html>
  );
}
