"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "@/components/controls/button";
import { CommandLine } from "@/components/controls/copy-button";
import { IconBraces } from "@/components/frame/icons";
import styles from "./keys.module.css";

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
      <Button size="xs" variant="default" leftSection={<IconBraces size={16} />} onClick={() => setVisible(!isVisible)}>
        {isVisible ? "Hide API calls" : "Show API calls"}
      </Button>
      {isVisible && (
        <p className={styles.apiHint}>
          Replace <code translate="no">TOKEN</code> with <a href="/account#token">your token</a>.
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
    <div className={styles.apiCall}>
      <p className={styles.apiHint}>{title}</p>
      <CommandLine command={command} />
    </div>
  );
}
