import "./tokens.css";
import "./base.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { EarlyPress } from "@/components/before-load";
import { FirstColorScheme, FollowColorScheme } from "@/components/color-scheme";
import { env } from "@/lib/platform/env";
import { textFontClasses } from "./text-font";

export const metadata: Metadata = {
  title: { default: "Latchkey", template: "%s · Latchkey" },
  description: "Sign-in, licence keys and files for apps without a server.",
  robots: { index: false },
};

export const viewport: Viewport = { colorScheme: "light dark" };

/** The document around every page. Reading the nonce forces every page to be rendered per request. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const requestHeaders = await headers();
  const nonce = requestHeaders.get("x-nonce") ?? "";
  return (
    <html
      lang="en"
      className={textFontClasses}
      data-request-id={requestHeaders.get("x-request-id")}
      data-address={env.NEXTAUTH_URL}
      suppressHydrationWarning
    >
      <head>
        <FirstColorScheme nonce={nonce} />
        <EarlyPress nonce={nonce} />
      </head>
      <body>
        {children}
        <FollowColorScheme />
      </body>
    </html>
  );
}
