"use client";

import "./tokens.css";
import "./base.css";
import "./mantine.css";
import { mantineHtmlProps } from "@mantine/core";
import { Failure } from "./failure";
import { textFontClasses } from "./text-font";
import { ThemeProvider } from "./theme-provider";

/** Replaces the whole document if even the layout failed. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en" className={textFontClasses} {...mantineHtmlProps}>
      <body>
        <title>Something went wrong · Latchkey</title>
        <ThemeProvider nonce="">
          <Failure error={error} retry={retry} />
        </ThemeProvider>
      </body>
    </html>
  );
}
