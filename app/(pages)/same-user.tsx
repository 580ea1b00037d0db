"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { MessagePage } from "@/components/message-page";
import { nameUser } from "./made-for";

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
        text={`This page was opened as ${first.username}. It changes nothing for ${viewer.username}.`}
      >
        <Button onClick={() => window.location.reload()}>{`Continue as ${viewer.username}`}</Button>
      </MessagePage>
    </div>
  );
}
