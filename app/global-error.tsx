"use client";

import "./tokens.css";
import "./base.css";
import { FollowColorScheme } from "@/components/frame/color-scheme-control";
import { Failure } from "./failure";
import { textFontClasses } from "./text-font";

/** Replaces the whole document if even the layout failed. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en" className={textFontClasses} suppressHydrationWarning>
      <body>
        <title>Something went wrong · Latchkey</title>
        <Failure error={error} retry={retry} />
        <FollowColorScheme />
      </body>
    </html>
  );
}
