import type { ComponentProps } from "react";
import styles from "./icon-button.module.css";

interface IconButtonProps extends ComponentProps<"button"> {
  /** What it does: the icon alone says it to nobody who cannot see it. */
  "aria-label": string;
  size?: "md" | "lg";
}

/** A button that shows only an icon. */
export function IconButton({ size = "md", className, ...others }: IconButtonProps) {
  return (
    <button
      type="button"
      {...others}
      className={className ? `${styles.button} ${className}` : styles.button}
      data-size={size}
    />
  );
}
