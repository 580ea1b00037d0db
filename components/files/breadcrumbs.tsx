import { IconChevronRight } from "@tabler/icons-react";
import type { DragEvent, MouseEvent } from "react";
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

/** Where the shown folder is, each folder around it being a way there. */
export function Breadcrumbs({ places, hrefOf, onOpen, dropProps }: BreadcrumbsProps) {
  return (
    <nav aria-label="Folders around this one">
      <ol className={styles.places}>
        {places.map(({ id, name }, index) => {
          const isHere = index === places.length - 1;
          return (
            <li key={id}>
              {index > 0 && <IconChevronRight size={16} aria-hidden />}
              <a
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
