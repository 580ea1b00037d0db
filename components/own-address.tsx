"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Notice } from "./notice";
import styles from "./shell.module.css";
import { otherAddress } from "./why-failed";

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
