"use client";

import { useSyncExternalStore } from "react";
import { LANGUAGES, type Language } from "@/lib/api/samples";

/** The key of localStorage, and of the attribute of <html> that decides which samples are shown. */
export const KEPT_LANGUAGE = "samples";

const CHANGED = "latchkey:samples";

/** The language of all samples of the page, kept for the reader's next visit. */
export function useLanguage(): [Language, (language: Language) => void] {
  const language = useSyncExternalStore(
    (notify) => {
      addEventListener(CHANGED, notify);
      return () => removeEventListener(CHANGED, notify);
    },
    () => asLanguage(document.documentElement.dataset[KEPT_LANGUAGE]),
    () => LANGUAGES[0].id,
  );
  return [language, choose];
}

function choose(language: Language) {
  document.documentElement.dataset[KEPT_LANGUAGE] = language;
  try {
    localStorage.setItem(KEPT_LANGUAGE, language);
  } catch {
    // A browser may refuse to keep anything: the choice then lasts as long as the page.
  }
  dispatchEvent(new Event(CHANGED));
}

function asLanguage(text: string | undefined): Language {
  return LANGUAGES.find(({ id }) => id === text)?.id ?? LANGUAGES[0].id;
}
