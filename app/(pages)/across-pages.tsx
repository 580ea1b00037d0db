"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "@/components/buttons";
import { MessagePage } from "@/components/page";
import styles from "@/components/shell.module.css";
import { claimSecret, keepClaimSecret, storeCodeInput } from "./_signing-in/kept-input";
import { nextPath, withNext } from "./next-path";
import { nameUser } from "./page-user";

/** What a page began and the next ones go on with, and what shows it. */
interface Carried {
  what: unknown;
  shown: ReactNode;
}

const CarriedContext = createContext<{ carried: unknown; carry: (carried: Carried) => void }>({
  carried: undefined,
  carry: () => {},
});

/** Around all pages. Shows below each what one of them keeps; only the page that keeps it loads the code for it. */
export function AcrossPages({ children }: { children: ReactNode }) {
  const [{ what, shown }, carry] = useState<Carried>({ what: undefined, shown: null });
  return (
    <CarriedContext value={{ carried: what, carry }}>
      {children}
      {shown}
    </CarriedContext>
  );
}

/** What an earlier page of this window keeps, and how to keep something. */
export function useAcrossPages<What>() {
  return useContext(CarriedContext) as {
    carried: What | undefined;
    carry: (carried: { what: What; shown: ReactNode }) => void;
  };
}

interface Viewer {
  id: string;
  username: string;
}

/**
 * Around all pages. A page that refreshes itself stays its user's: if somebody else has signed in in another tab, it
 * says so in place of what it showed.
 */
export function SameUser({ viewer, children }: { viewer: Viewer | null; children: ReactNode }) {
  const [first] = useState(() => {
    if (viewer && typeof window !== "undefined") nameUser(viewer.id);
    return viewer;
  });
  if (!first || !viewer || viewer.id === first.id) return children;
  return (
    <div role="alert">
      <MessagePage
        title={`You are now signed in as ${viewer.username}`}
        text={`This page was opened as ${first.username}. It can't change anything for ${viewer.username}.`}
      >
        <Button onClick={() => window.location.reload()}>{`Continue as ${viewer.username}`}</Button>
      </MessagePage>
    </div>
  );
}

/** What a page keeps in its tab while its person signs in: the addresses on the way must not have it. */
const KEEPERS: Record<string, () => void> = { "/claim": () => keepClaimSecret(claimSecret()), "/link": storeCodeInput };

/** The links in the head for somebody who is signed out. They lead back to this page, or to where it would lead. */
export function GuestLinks({ signUpOpen }: { signUpOpen: boolean }) {
  const path = usePathname();
  const isSignInPage = path === "/signin" || path === "/signup";
  const next = useSearchParams().get("next");
  const target = nextPath(isSignInPage ? (next ?? undefined) : path, "/");
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
