import type { ReactNode } from "react";
import { prerender } from "react-dom/static";
import { expect, test, vi } from "vitest";
import BackupGuide from "@/app/(pages)/docs/guides/backup/page";
import CommandLineGuide from "@/app/(pages)/docs/guides/command-line/page";
import KeysGuide from "@/app/(pages)/docs/guides/keys/page";
import ProductionGuide from "@/app/(pages)/docs/guides/production/page";
import ReferencePage from "@/app/(pages)/docs/page";

// Somebody without a session.
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ host: "localhost:3000" }),
  cookies: async () => ({ getAll: () => [] }),
}));

async function markupOf(page: Promise<ReactNode>): Promise<string> {
  const { prelude } = await prerender(await page);
  return new Response(prelude).text();
}

/** What a card and its guide both speak of. */
const SUBJECTS = [
  ["six letters", CommandLineGuide],
  ["buyer", KeysGuide],
  ["resumed", BackupGuide],
  ["TLS", ProductionGuide],
] as const;

const CARD = /<a href="([^"]+)"><strong>([^<]+)<\/strong><span>([^<]+)<\/span>/g;
const cards = [...(await markupOf(ReferencePage())).matchAll(CARD)];

test.each(SUBJECTS)(
  "the card about “%s” has the title of the guide about it, and leads there",
  async (subject, Guide) => {
    expect(cards).toHaveLength(SUBJECTS.length);
    const [, href, title] = cards.find(([, , , words]) => words?.includes(subject)) ?? [];
    const guide = await markupOf(Guide());
    expect(guide).toContain(subject);
    expect(guide).toContain(`<h1>${title}</h1>`);
    expect(guide).toContain(`<a href="${href}" aria-current="page">`);
  },
);
