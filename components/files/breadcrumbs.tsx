import { IconChevronRight, IconDots } from "@tabler/icons-react";
import { type DragEvent, type MouseEvent, useState } from "react";
import styles from "./breadcrumbs.module.css";

interface Place {
  id: string;
  name: string;
}

interface BreadcrumbsProps {
  /** From the outermost folder to the one that is shown. */
  places: Place[];
  hrefOf: (id: string) => string;
  onOpen: (id: string, event: MouseEvent) => void;
  /** What makes a folder take what is dragged onto it. */
  dropProps: (id: string) => { onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void; "data-over"?: boolean };
}

/** With more, the middle is folded away. */
const MOST_SHOWN = 4;

/** Where the shown folder is, each folder around it being a way there. Of a deep one the middle is shown when asked for. */
export function Breadcrumbs({ places, hrefOf, onOpen, dropProps }: BreadcrumbsProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const folded = places.length > MOST_SHOWN && !isUnfolded ? places.slice(1, -2) : [];

  return (
    <nav aria-label="Folders around this one">
      <ol className={styles.places}>
        {places.map((place, index) => {
          const { id, name } = place;
          const isHere = index === places.length - 1;
          if (folded.includes(place)) {
            if (index > 1) return null;
            return (
              <li key={id}>
                <IconChevronRight size={16} aria-hidden />
                <button
                  type="button"
                  aria-label={`Show the ${folded.length} folders between`}
                  onClick={() => setUnfolded(true)}
                  onDragEnter={() => setUnfolded(true)}
                >
                  <IconDots size={16} aria-hidden />
                </button>
              </li>
            );
          }
          return (
            <li key={id}>
              {index > 0 && <IconChevronRight size={16} aria-hidden />}
              <a
                ref={isUnfolded && index === 1 ? takeFocus : undefined}
                href={hrefOf(index === 0 ? "" : id)}
                aria-current={isHere ? "page" : undefined}
                onClick={(event) => onOpen(index === 0 ? "" : id, event)}
                {...(isHere ? {} : dropProps(id))}
              >
                <bdi>{index === 0 ? "All files" : name}</bdi>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The keyboard goes on with what the button made room for. */
function takeFocus(link: HTMLAnchorElement | null) {
  link?.focus();
}
