"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "@/components/buttons";
import { CommandLine } from "@/components/copy-button";
import { IconBraces } from "@/components/icons";
import { requestPath } from "@/lib/api/samples";
import styles from "./keys.module.css";

const Calls = createContext({ origin: "", isVisible: false, setVisible: (_isVisible: boolean) => {} });

/** A page whose API calls, to `origin`, are shown or hidden together, by the `ApiSwitch` in it. */
export function ApiCalls({ origin, children }: { origin: string; children: ReactNode }) {
  const [isVisible, setVisible] = useState(false);
  return <Calls value={{ origin, isVisible, setVisible }}>{children}</Calls>;
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
        <p className="small">
          Replace <code translate="no">TOKEN</code> with <a href="/account#token">your token</a>.
        </p>
      )}
    </div>
  );
}

export type ApiRequest = [path: string, parameters?: Record<string, string>];

interface ApiCallProps {
  title: string;
  requests: ApiRequest[];
  /** Makes one command of theirs. */
  around?: (commands: string) => string;
}

/**
 * The calls that do the same as what they stand beside; nothing outside of `ApiCalls`. They never contain the token: the
 * person inserts it.
 */
export function ApiCall({ title, requests, around = (commands) => commands }: ApiCallProps) {
  const { origin, isVisible } = useContext(Calls);
  if (!isVisible) return null;
  const commands = requests.map(([path, parameters = {}]) => {
    return `curl -H "Authorization: Bearer TOKEN" "${origin}${requestPath(path, parameters)}"`;
  });
  return (
    <div className={styles.apiCall}>
      <p className="small">{title}</p>
      <CommandLine command={around(commands.join("\n"))} />
    </div>
  );
}
