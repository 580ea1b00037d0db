"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import styles from "./contents.module.css";
import { DocsSearch, matchingEntries } from "./docs-search";
import type { DocsEntry, DocsGroup } from "./index-entries";

/** Adds the words of its text to the entry of a guide, once they are loaded; and loads them. */
function useGuideWords(): [(entry: DocsEntry) => DocsEntry, () => void] {
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

/** The id of the section at the top of the window, or "". */
function useSectionInView(): string {
  const [id, setId] = useState("");
  useEffect(() => {
    const sections = [...document.querySelectorAll<HTMLElement>("[data-section]")];
    const shown = new Set<Element>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) shown.add(target);
          else shown.delete(target);
        }
        setId(sections.find((section) => shown.has(section))?.id ?? "");
      },
      // Below where a link's target comes to stand (app/base.css: scroll-padding-top).
      { rootMargin: "-48px 0px -80% 0px" },
    );
    for (const section of sections) observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return id;
}

interface ContentsProps {
  /** The path of the page that it stands beside. */
  current: string;
  groups: DocsGroup[];
  /** What only a search finds. */
  hidden: DocsEntry[];
}

/** The index of the documentation, with a search over it. On a phone a button opens it. */
export function Contents({ current, groups, hidden }: ContentsProps) {
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const inView = useSectionInView();
  const container = useRef<HTMLElement>(null);
  const id = useId();
  const [withWords, loadWords] = useGuideWords();
  const entries = [...groups.flatMap((group) => group.entries).map(withWords), ...hidden];
  const matches = query.trim() === "" ? null : matchingEntries(entries, query);

  /** Up and down lead through the field and the links below it. */
  function move(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    const stops = [...(container.current?.querySelectorAll<HTMLElement>("input, a[href]") ?? [])];
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  function leave() {
    setOpen(false);
    setQuery("");
  }

  return (
    <div className={styles.side}>
      <div className={styles.toggle}>
        <Button
          fullWidth
          size="sm"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          Contents
        </Button>
      </div>
      <nav
        ref={container}
        id={id}
        aria-label="Documentation"
        className={styles.contents}
        data-open={isOpen}
        onKeyDown={move}
      >
        <DocsSearch
          query={query}
          onChange={setQuery}
          onReveal={() => setOpen(true)}
          onFocus={loadWords}
          onEnter={() => container.current?.querySelector<HTMLElement>("a[href]")?.click()}
        />
        <p role="status" className={styles.count} data-empty={matches?.length === 0 || undefined}>
          {matches && (matches.length === 0 ? "Nothing found. Try another word." : `${matches.length} found`)}
        </p>
        {matches ? (
          <ul className={styles.found}>
            {matches.map(({ href, name, kind }) => (
              <li key={`${href} ${name}`}>
                <a href={href} onClick={leave}>
                  {name} <span>{kind}</span>
                </a>
              </li>
            ))}
          </ul>
        ) : (
          groups.map(({ title, entries }) => (
            <div key={title} className={styles.group}>
              <p>{title}</p>
              <ul>
                {entries.map(({ href, name }) => (
                  <li key={href}>
                    <a href={href} aria-current={currentOf(href, current, inView)} onClick={leave}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))
        )}
      </nav>
    </div>
  );
}

function currentOf(href: string, current: string, inView: string) {
  if (href === current) return "page";
  return inView !== "" && href === `${current}#${inView}` ? "location" : undefined;
}

/** Links to a route from before it had an id, like `#/Keys/keysCreate`, still lead to it. */
export function OldAnchor() {
  useEffect(() => {
    const [, operation] = /^#\/[^/]+\/(\w+)$/.exec(location.hash) ?? [];
    const route = operation && document.querySelector(`[data-operation="${operation}"]`);
    if (route) location.replace(`#${route.id}`);
  }, []);
  return null;
}
