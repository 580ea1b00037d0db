import localFont from "next/font/local";

/** The typeface of all pages (docs/decisions/own-components.md). Its class sets `--typeface`, for app/tokens.css. */
const textFont = localFont({
  src: "./fonts/latchkey-text.woff2",
  weight: "400 700",
  display: "optional",
  variable: "--typeface",
});

/** Its letters beyond English, loaded where a page has one. It has no fallback: `--typeface`, which follows it, has. */
const textFontExtended = localFont({
  src: "./fonts/latchkey-text-extended.woff2",
  weight: "400 700",
  display: "optional",
  variable: "--typeface-extended",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value: "U+A1-A6, U+A8-AA, U+AE, U+BC-D6, U+D8-F6, U+F8-24F, U+2C6-328, U+1E80-1EF3, U+201A, U+201E, U+2122",
    },
  ],
});

/** For the page of an unknown address: Next preloads no typeface for it, and an optional one would come too late. */
const textFontLate = localFont({
  src: "./fonts/latchkey-text.woff2",
  weight: "400 700",
  display: "swap",
  variable: "--typeface",
  preload: false,
});

export const lateTextFontClass = textFontLate.className;

export const textFontClasses = `${textFont.variable} ${textFontExtended.variable}`;
