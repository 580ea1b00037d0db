"use client";

import { type KeyboardEvent, type ReactNode, useId, useRef, useSyncExternalStore } from "react";
import { CopyButton } from "@/components/copy-button";
import { LANGUAGES, type Language, type Samples } from "@/lib/api/samples";
import styles from "./samples.module.css";

/** The key of localStorage, and of the attribute of <html> that decides which samples are shown. */
const STORED_LANGUAGE = "samples";

const CHANGED = "latchkey:samples";

/** The language of all samples of the page, kept for the reader's next visit. */
function useLanguage(): [Language, (language: Language) => void] {
  const language = useSyncExternalStore(
    (notify) => {
      addEventListener(CHANGED, notify);
      return () => removeEventListener(CHANGED, notify);
    },
    () => asLanguage(document.documentElement.dataset[STORED_LANGUAGE]),
    () => LANGUAGES[0].id,
  );
  return [language, choose];
}

function choose(language: Language) {
  document.documentElement.dataset[STORED_LANGUAGE] = language;
  try {
    localStorage.setItem(STORED_LANGUAGE, language);
  } catch {
    // A browser may refuse to keep anything: the choice then lasts as long as the page.
  }
  dispatchEvent(new Event(CHANGED));
}

function asLanguage(text: string | undefined): Language {
  return LANGUAGES.find(({ id }) => id === text)?.id ?? LANGUAGES[0].id;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** One program in three languages. The choice counts for the whole page; without a script all three are shown. */
export function SampleTabs({ shown, files }: { shown: Record<Language, ReactNode>; files?: Samples }) {
  const [language, choose] = useLanguage();
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);

  function step({ key }: KeyboardEvent) {
    const by = STEPS[key];
    if (!by) return;
    const next = (LANGUAGES.findIndex((one) => one.id === language) + by + LANGUAGES.length) % LANGUAGES.length;
    const { id: chosen } = LANGUAGES[next] ?? LANGUAGES[0];
    choose(chosen);
    tabs.current?.querySelectorAll("button")[next]?.focus();
  }

  return (
    <div className={styles.samples}>
      <div className={styles.head}>
        <div role="tablist" aria-label="Language" className={styles.tabs} ref={tabs} onKeyDown={step}>
          {LANGUAGES.map((one) => (
            <button
              key={one.id}
              type="button"
              role="tab"
              id={`${id}-${one.id}-tab`}
              aria-selected={one.id === language}
              aria-controls={`${id}-${one.id}`}
              tabIndex={one.id === language ? 0 : -1}
              onClick={() => choose(one.id)}
            >
              {one.name}
            </button>
          ))}
        </div>
        <CopyButton
          text={async () => document.getElementById(`${id}-${language}`)?.querySelector("pre")?.textContent ?? null}
        />
      </div>
      {LANGUAGES.map((one) => (
        <div
          key={one.id}
          role="tabpanel"
          id={`${id}-${one.id}`}
          aria-labelledby={`${id}-${one.id}-tab`}
          className={`${styles.sample} ${styles[one.id]}`}
        >
          <p className={styles.language}>{one.name}</p>
          {shown[one.id]}
          {files && (
            <p className={styles.file}>
              <a href={`/docs/examples/${files[one.id]}`} download>
                Download {files[one.id]}
              </a>
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
