"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { Notice } from "../feedback/notice";
import { otherAddress } from "../feedback/why-failed";
import styles from "./shell.module.css";

/** The name of the signed-in user, null for nobody, undefined if unknown (an error page). */
export type Viewer = string | null | undefined;

/** The links in the head for a signed-in person, beside the menu of the account. */
const PAGES = [
  { href: "/link", name: "Link", label: "Link a program" },
  { href: "/keys", name: "Keys", label: "Keys" },
  { href: "/files", name: "Files", label: "Files" },
  { href: "/docs", name: "Docs", label: "Docs" },
];

/** The links in the head of every page, with a mark on the one that is open. `guestLinks`: the ways in. */
export function MainLinks({ viewer, guestLinks }: { viewer: Viewer; guestLinks: ReactNode }) {
  const path = usePathname();
  if (viewer === undefined) return null;
  const here = (href: string) => (path === href ? "page" : path.startsWith(`${href}/`) || undefined);
  if (viewer === null) {
    return (
      <>
        <a href="/link" aria-label="Link a program" aria-current={here("/link")}>
          Link
        </a>
        <a href="/docs" aria-current={here("/docs")}>
          Docs
        </a>
        {guestLinks}
      </>
    );
  }
  return PAGES.map(({ href, name, label }) => (
    <a key={href} href={href} aria-label={label} aria-current={here(href)}>
      {name}
    </a>
  ));
}

/**
 * Says so if the page was opened under another address than the service's own (contract, section 5: address): browsers
 * do not keep its cookies there, or do not send them. Of this address only the path goes on: the rest may be a secret.
 */
export function OwnAddress() {
  const path = usePathname();
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => setAddress(otherAddress()), []);
  return (
    <div className={styles.elsewhere}>
      <Notice kind="error">
        {address && (
          <span>
            Some things don't work at this address, like signing in.{" "}
            <a href={`${address}${path}`}>{`Open this service at ${address}`}</a>
          </span>
        )}
      </Notice>
    </div>
  );
}
