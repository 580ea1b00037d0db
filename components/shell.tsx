import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { Frame } from "./frame";
import { MainLinks, type Viewer } from "./main-links";
import { ToastProvider } from "./toast";

interface ShellProps {
  viewer: Viewer;
  /** Whether the viewer may open the console. */
  isOperator?: boolean;
  signUpOpen: boolean;
  children: ReactNode;
}

/** The frame of every page with its links, the viewer's menu, and toasts. */
export function Shell({ viewer, isOperator = false, signUpOpen, children }: ShellProps) {
  return (
    <Frame
      links={<MainLinks viewer={viewer} signUpOpen={signUpOpen} />}
      account={viewer && <AccountMenu username={viewer} isOperator={isOperator} />}
    >
      <ToastProvider>{children}</ToastProvider>
    </Frame>
  );
}
