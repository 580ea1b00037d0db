import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { Frame } from "./frame";
import { MainLinks, type Viewer } from "./main-links";
import { OwnAddress } from "./own-address";
import { ToastProvider } from "./toast";

interface ShellProps {
  viewer: Viewer;
  /** Whether the viewer may open the console. */
  isOperator?: boolean;
  /** The links in the head for somebody who is signed out. */
  guestLinks: ReactNode;
  children: ReactNode;
}

/** The frame of every page with its links, the viewer's menu, and toasts. */
export function Shell({ viewer, isOperator = false, guestLinks, children }: ShellProps) {
  return (
    <Frame
      links={<MainLinks viewer={viewer} guestLinks={guestLinks} />}
      account={viewer && <AccountMenu username={viewer} isOperator={isOperator} />}
    >
      <OwnAddress />
      <ToastProvider>{children}</ToastProvider>
    </Frame>
  );
}
