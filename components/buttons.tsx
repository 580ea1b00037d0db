import type { ComponentProps, ReactNode } from "react";
import styles from "./buttons.module.css";
import { Loader } from "./feedback";

interface ButtonAppearance {
  /** "filled" is for what most people came for. */
  variant?: "filled" | "default" | "subtle" | "outline";
  /** For what destroys. */
  color?: "red";
  size?: "compact-xs" | "xs" | "sm" | "md" | "lg";
  /** As wide as what it is in. */
  fullWidth?: boolean;
  /** An icon before the words. */
  leftSection?: ReactNode;
  /** An icon after the words. */
  rightSection?: ReactNode;
}

interface ButtonProps extends ButtonAppearance, Omit<ComponentProps<"button">, "color"> {
  /** At work: it shows a loader and cannot be pressed. */
  loading?: boolean;
}

/** The browser's own button in our looks. It sends a form only with `type="submit"`. */
export function Button({ loading, disabled, ...props }: ButtonProps) {
  const { look, words, others } = parts(props);
  return (
    <button type="button" {...others} {...look} data-loading={loading || undefined} disabled={disabled || loading}>
      {loading && (
        <span className={styles.loading}>
          <Loader />
        </span>
      )}
      {words}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton(props: ButtonAppearance & ComponentProps<"a">) {
  const { look, words, others } = parts(props);
  return (
    <a {...others} {...look}>
      {words}
    </a>
  );
}

/** How a button looks, what is on it, and what else its element gets. */
function parts<Props extends ButtonAppearance & { className?: string; children?: ReactNode }>(props: Props) {
  const { variant, color, size, fullWidth, leftSection, rightSection, className, children, ...others } = props;
  const look = {
    className: className ? `${styles.button} ${className}` : styles.button,
    "data-variant": variant ?? "filled",
    "data-color": color,
    "data-size": size ?? "md",
    "data-full": fullWidth || undefined,
    "data-before": leftSection ? true : undefined,
    "data-after": rightSection ? true : undefined,
  };
  const words = (
    <span className={styles.inner}>
      {leftSection && <span className={styles.icon}>{leftSection}</span>}
      <span className={styles.label}>{children}</span>
      {rightSection && <span className={styles.icon}>{rightSection}</span>}
    </span>
  );
  return { look, words, others };
}

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
      className={className ? `${styles.iconButton} ${className}` : styles.iconButton}
      data-size={size}
    />
  );
}
