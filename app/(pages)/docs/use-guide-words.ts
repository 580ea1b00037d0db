"use client";

import { useState } from "react";
import type { DocsEntry } from "./index-entries";

/** Adds the words of its text to the entry of a guide, once they are loaded; and loads them. */
export function useGuideWords(): [(entry: DocsEntry) => DocsEntry, () => void] {
  const [words, setWords] = useState<Record<string, string>>({});

  function load() {
    // Without them the search finds guides by their titles, and the next focus tries again.
    import("./guide-words").then(
      ({ GUIDE_WORDS }) => setWords(GUIDE_WORDS),
      () => {},
    );
  }

  const withWords = (entry: DocsEntry): DocsEntry => {
    const more = words[entry.href];
    return more ? { ...entry, words: `${entry.words ?? ""} ${more}` } : entry;
  };
  return [withWords, load];
}
