"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { CommandLine } from "@/components/controls/copy-button";
import styles from "./api-calls.module.css";

const Calls = createContext<{ isVisible: boolean; setVisible: (isVisible: boolean) => void }>({
  isVisible: false,
  setVisible: () => {},
});

/** A page whose API calls are shown or hidden together, by the `ApiSwitch` in it. */
export function ApiCalls({ children }: { children: ReactNode }) {
  const [isVisible, setVisible] = useState(false);
  return <Calls value={{ isVisible, setVisible }}>{children}</Calls>;
}

/** Shows the calls by which a program would do what this page does. */
export function ApiSwitch() {
  const { isVisible, setVisible } = useContext(Calls);
  return (
    <div className={styles.switch}>
      <label className={styles.toggle}>
        <input
          type="checkbox"
          role="switch"
          checked={isVisible}
          aria-checked={isVisible}
          onChange={(event) => setVisible(event.currentTarget.checked)}
        />
        API
      </label>
      {isVisible && (
        <p className={styles.hint}>
          Replace <code translate="no">TOKEN</code> with <a href="/account">your token</a>.
        </p>
      )}
    </div>
  );
}

/** The call that does the same as what it stands beside. It never contains the token: the person inserts it. */
export function ApiCall({ title, command }: { title: string; command: string }) {
  const { isVisible } = useContext(Calls);
  if (!isVisible) return null;
  return (
    <div className={styles.call}>
      <p className={styles.hint}>{title}</p>
      <CommandLine command={command} />
    </div>
  );
}
