import type { ReactNode } from "react";
import { Button } from "@/components/button";
import styles from "./console.module.css";

interface FilterFormProps {
  /** The page with the list. */
  page: string;
  /** Only some of the list is shown. */
  isFiltered: boolean;
  /** Small fields with labels. */
  children: ReactNode;
}

/** The filter of a list. The address has it, so that it works without scripts, and can be kept and sent to somebody. */
export function FilterForm({ page, isFiltered, children }: FilterFormProps) {
  return (
    <search>
      <form action={page} className={styles.filter}>
        {children}
        <div className={styles.find}>
          <Button type="submit" size="sm" variant="default">
            Find
          </Button>
          {isFiltered && <a href={page}>Clear</a>}
        </div>
      </form>
    </search>
  );
}
