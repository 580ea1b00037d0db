import { useEffect, useState } from "react";

/** The id of the section at the top of the window, or "". */
export function useSectionInView(): string {
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
