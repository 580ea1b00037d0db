"use client";

import { createContext, type ReactNode, useContext, useState } from "react";

/** What a page began and the next ones go on with, and what shows it. */
interface Kept {
  what: unknown;
  shown: ReactNode;
}

const KeptContext = createContext<{ kept: unknown; keep: (kept: Kept) => void }>({ kept: undefined, keep: () => {} });

/** Around all pages. Shows below each what one of them keeps; only the page that keeps it loads the code for it. */
export function AcrossPages({ children }: { children: ReactNode }) {
  const [{ what, shown }, keep] = useState<Kept>({ what: undefined, shown: null });
  return (
    <KeptContext value={{ kept: what, keep }}>
      {children}
      {shown}
    </KeptContext>
  );
}

/** What an earlier page of this window keeps, and how to keep something. */
export function useAcrossPages<What>() {
  return useContext(KeptContext) as {
    kept: What | undefined;
    keep: (kept: { what: What; shown: ReactNode }) => void;
  };
}
