"use client";

import { usePathname, useSearchParams } from "next/navigation";
import styles from "@/components/shell.module.css";
import { claimSecret, keepClaimSecret } from "./claim/claim-secret";
import { keepTypedCode } from "./link/kept-code";
import { nextPath, withNext } from "./next-path";

/** What a page keeps in its tab while its person signs in: the addresses on the way must not have it. */
const KEEPERS: Record<string, () => void> = { "/claim": () => keepClaimSecret(claimSecret()), "/link": keepTypedCode };

/** The links in the head for somebody who is signed out. They lead back to this page, or to where it would lead. */
export function GuestLinks({ signUpOpen }: { signUpOpen: boolean }) {
  const path = usePathname();
  const isWayIn = path === "/signin" || path === "/signup";
  const next = useSearchParams().get("next");
  const target = nextPath(isWayIn ? (next ?? undefined) : path, "/");
  const here = (page: string) => (path === page ? "page" : undefined);
  return (
    <>
      <a href={withNext("/signin", target)} onClick={KEEPERS[path]} aria-current={here("/signin")}>
        Sign in
      </a>
      {signUpOpen && (
        <a
          href={withNext("/signup", target)}
          onClick={KEEPERS[path]}
          className={styles.strong}
          aria-current={here("/signup")}
        >
          Sign up
        </a>
      )}
    </>
  );
}
