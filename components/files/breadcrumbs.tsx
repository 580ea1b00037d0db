import { type DragEvent, type MouseEvent, useState } from "react";
import { IconChevronRight, IconDots } from "@/components/icons";
import styles from "./breadcrumbs.module.css";

interface Crumb {
  id: string;
  name: string;
}

interface BreadcrumbsProps {
  /** From the outermost folder to the current one. */
  places: Crumb[];
  hrefOf: (id: string) => string;
  onOpen: (id: string, event: MouseEvent) => void;
  /** Props that make a folder a drop target. */
  dropProps: (id: string) => {
    onDragOver: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
    "data-over"?: boolean;
  };
}

/** With more, the middle is collapsed. */
const MOST_SHOWN = 4;

/** The path of the current folder; each folder in it is a link. The middle of a long path is shown on request. */
export function Breadcrumbs({ places, hrefOf, onOpen, dropProps }: BreadcrumbsProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const folded = places.length > MOST_SHOWN && !isUnfolded ? places.slice(1, -2) : [];

  return (
    <nav aria-label="Folder path">
      <ol className={styles.places}>
        {places.map((place, index) => {
          const { id, name } = place;
          const isHere = index === places.length - 1;
          if (folded.includes(place)) {
            if (index > 1) return null;
            return (
              <li key={id}>
                <IconChevronRight size={16} />
                <button
                  type="button"
                  aria-label={`Show ${folded.length} more folders`}
                  onClick={() => setUnfolded(true)}
                  onDragEnter={() => setUnfolded(true)}
                >
                  <IconDots size={16} />
                </button>
              </li>
            );
          }
          return (
            <li key={id}>
              {index > 0 && <IconChevronRight size={16} />}
              <a
                ref={isUnfolded && index === 1 ? takeFocus : undefined}
                href={hrefOf(index === 0 ? "" : id)}
                aria-current={isHere ? "page" : undefined}
                onClick={(event) => onOpen(index === 0 ? "" : id, event)}
                {...(isHere ? {} : dropProps(id))}
              >
                <bdi translate="no">{index === 0 ? "All files" : name}</bdi>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** Focuses the links that replaced the button. */
function takeFocus(link: HTMLAnchorElement | null) {
  link?.focus();
}
