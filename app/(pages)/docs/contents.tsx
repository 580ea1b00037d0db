"use client";

import { useEffect, useId, useState } from "react";
import { Button } from "@/components/buttons";
import type { DocsGroup } from "./index-entries";
import styles from "./page.module.css";

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
}

/** The index of the documentation. On a phone a button opens it. */
export function Contents({ current, groups }: ContentsProps) {
  const [isOpen, setOpen] = useState(false);
  const inView = useSectionInView();
  const id = useId();
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
      <nav id={id} aria-label="Documentation" className={styles.contents} data-open={isOpen}>
        {groups.map(({ title, entries }) => (
          <div key={title} className={styles.group}>
            <p>{title}</p>
            <ul>
              {entries.map(({ href, name }) => (
                <li key={href}>
                  <a href={href} aria-current={currentOf(href, current, inView)} onClick={() => setOpen(false)}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
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
