import "./tokens.css";
import "./base.css";
import "./mantine.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { EarlyPress } from "@/components/early-press";
import { textFontClasses } from "./text-font";
import { ThemeProvider } from "./theme-provider";

export const metadata: Metadata = {
  title: { default: "Latchkey", template: "%s · Latchkey" },
  description: "Sign-in, licence keys and files for apps without a server.",
  robots: { index: false },
};

export const viewport: Viewport = { colorScheme: "light dark" };

/** The document around every page. Reading the nonce forces every page to be rendered per request. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const sent = await headers();
  const nonce = sent.get("x-nonce") ?? "";
  return (
    <html lang="en" className={textFontClasses} data-request-id={sent.get("x-request-id")} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" suppressHydrationWarning />
        <EarlyPress nonce={nonce} />
      </head>
      <body>
        <ThemeProvider nonce={nonce}>{children}</ThemeProvider>
      </body>
    </html>
  );
}
