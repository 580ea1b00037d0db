"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { whyFailed } from "@/components/failures";
import { Notice } from "@/components/feedback";
import { continueWithOpener } from "./actions";

/** After this time, the page that opened the window is not one that uses our client. */
const PATIENCE_MS = 5_000;

/** What a page sends to the window that it opened (clients/typescript/src/sign-in.ts). */
interface CodeMessage {
  latchkey: "code";
  code: string;
  secret: string;
}

function isCodeMessage(data: unknown): data is CodeMessage {
  const { latchkey, code, secret } = Object(data) as Partial<CodeMessage>;
  return latchkey === "code" && typeof code === "string" && typeof secret === "string";
}

/**
 * Gets the code from the page that opened this window, and goes on with it: the browser says which page that is.
 * Without such a page, asks for the letters: `otherwise` is the field for them.
 */
export function CodeFromOpener({ otherwise }: { otherwise: ReactNode }) {
  const router = useRouter();
  const [isAlone, setAlone] = useState(false);
  const [error, setError] = useState("");

  useEffect(() => {
    const opener: Window | null = window.opener;
    if (!opener) return setAlone(true);
    // None of these has a secret in it, so any page may read them.
    const tell = (step: "ready" | "shown" | "refused") => opener.postMessage({ latchkey: step }, "*");
    const timer = setTimeout(() => setAlone(true), PATIENCE_MS);
    const take = async ({ source, origin, data }: MessageEvent) => {
      if (source !== opener || !isCodeMessage(data)) return;
      // One window, one code: what comes later is not read.
      window.removeEventListener("message", take);
      clearTimeout(timer);
      const next = await continueWithOpener({ code: data.code, secret: data.secret, origin }).catch(async (thrown) => ({
        error: await whyFailed(thrown),
        isThrown: true,
      }));
      if ("ok" in next) {
        tell("shown");
        return router.replace(next.ok);
      }
      // Another page's code is no fault that its visitor could mend.
      if ("isThrown" in next) setError(next.error);
      tell("refused");
      setAlone(true);
    };
    window.addEventListener("message", take);
    tell("ready");
    return () => {
      clearTimeout(timer);
      window.removeEventListener("message", take);
    };
  }, [router]);

  if (isAlone)
    return (
      <>
        <p className="soft">The page that opened this window shows six letters: enter them here.</p>
        <Notice kind="error">{error}</Notice>
        {otherwise}
      </>
    );
  return (
    <p role="status" className="soft">
      Connecting to the page that opened this window…
    </p>
  );
}

/** Closes the window that a page opened, once nothing is left to do in it. Browsers close no other. */
export function CloseWindow() {
  useEffect(() => window.close(), []);
  return <p className="soft">You can close this window.</p>;
}
