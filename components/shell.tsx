import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { Frame } from "./frame";
import { MainLinks, type Viewer } from "./main-links";
import { ToastProvider } from "./toast";

interface ShellProps {
  viewer: Viewer;
  signUpOpen: boolean;
  children: ReactNode;
}

/** The frame of every page with its links, the viewer's menu, and toasts. */
export function Shell({ viewer, signUpOpen, children }: ShellProps) {
  return (
    <Frame
      links={<MainLinks viewer={viewer} signUpOpen={signUpOpen} />}
      account={viewer && <AccountMenu username={viewer} />}
    >
      <ToastProvider>{children}</ToastProvider>
    </Frame>
  );
}
