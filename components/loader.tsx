import styles from "./loader.module.css";

interface LoaderProps {
  size?: "xs" | "sm" | "md";
  className?: string;
  /** Read out, where nothing else says that something is loading. */
  "aria-label"?: string;
}

/** A turning ring. On a button it has the colour of the words. */
export function Loader({ size = "md", className, "aria-label": label }: LoaderProps) {
  const role = label ? { role: "img", "aria-label": label } : { "aria-hidden": true };
  return <span className={className ? `${styles.loader} ${className}` : styles.loader} data-size={size} {...role} />;
}
