import type { ReactNode } from "react";
import { DocsPage } from "./docs-page";
import { GUIDES, type GuidePath } from "./guides";

/** A guide, under the title that the index knows. */
export function GuidePage({ path, children }: { path: GuidePath; children: ReactNode }) {
  return (
    <DocsPage title={titleOf(path)} current={path}>
      {children}
    </DocsPage>
  );
}

/** The title of a guide. */
export function titleOf(path: GuidePath): string {
  return GUIDES.find(({ href }) => href === path)?.title ?? "";
}
