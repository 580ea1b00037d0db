import type { ComponentProps } from "react";
import styles from "./data-table.module.css";

/** The browser's own table, as wide as what it is in, with a line below each row but the last. */
export function DataTable({ className, ...others }: ComponentProps<"table">) {
  return <table {...others} className={className ? `${styles.table} ${className}` : styles.table} />;
}
