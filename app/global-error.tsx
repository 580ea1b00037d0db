"use client";

import "./tokens.css";
import "./base.css";
import "./mantine.css";
import { mantineHtmlProps } from "@mantine/core";
import { Failure } from "./failure";
import { ThemeProvider } from "./theme-provider";

/** Stands in for the whole document when even the layout failed. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en" {...mantineHtmlProps}>
      <body>
        <title>This did not work · Latchkey</title>
        <ThemeProvider nonce="">
          <Failure error={error} retry={retry} />
        </ThemeProvider>
      </body>
    </html>
  );
}
