import type { ComponentProps, ReactNode } from "react";
import { Loader } from "../feedback/notice";
import styles from "./button.module.css";

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
export function Button(props: ButtonProps) {
  const {
    variant,
    color,
    size,
    fullWidth,
    leftSection,
    rightSection,
    loading,
    disabled,
    className,
    children,
    ...others
  } = props;
  return (
    <button
      type="button"
      {...others}
      {...appearance(props)}
      data-loading={loading || undefined}
      disabled={disabled || loading}
    >
      {loading && (
        <span className={styles.loading}>
          <Loader />
        </span>
      )}
      <Words before={leftSection} after={rightSection}>
        {children}
      </Words>
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton(props: ButtonAppearance & ComponentProps<"a">) {
  const { variant, color, size, fullWidth, leftSection, rightSection, className, children, ...others } = props;
  return (
    <a {...others} {...appearance(props)}>
      <Words before={leftSection} after={rightSection}>
        {children}
      </Words>
    </a>
  );
}

type Appearance = ButtonAppearance & { className?: string };

function appearance(props: Appearance) {
  const { variant = "filled", color, size = "md", fullWidth, leftSection, rightSection, className } = props;
  return {
    className: className ? `${styles.button} ${className}` : styles.button,
    "data-variant": variant,
    "data-color": color,
    "data-size": size,
    "data-full": fullWidth || undefined,
    "data-before": leftSection ? true : undefined,
    "data-after": rightSection ? true : undefined,
  };
}

function Words({ before, after, children }: { before: ReactNode; after: ReactNode; children: ReactNode }) {
  return (
    <span className={styles.inner}>
      {before && <span className={styles.icon}>{before}</span>}
      <span className={styles.label}>{children}</span>
      {after && <span className={styles.icon}>{after}</span>}
    </span>
  );
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
