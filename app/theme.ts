import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from "@mantine/core";

/** Mantine needs ten shades. Ours are variables of app/tokens.css, which adapt to light and dark by themselves. */
const shades = (soft: string, plain: string, strong: string): MantineColorsTuple => [
  soft,
  soft,
  soft,
  plain,
  plain,
  plain,
  plain,
  strong,
  strong,
  strong,
];

/** Mantine's theme, built from the tokens of app/tokens.css. */
export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: 6,
  colors: {
    accent: shades("var(--accent-soft)", "var(--accent)", "var(--accent-strong)"),
    // The shades of the dark scheme, from text to page.
    dark: [
      "var(--ink)",
      "var(--ink-soft)",
      "var(--ink-soft)",
      "var(--line-strong)",
      "var(--line-strong)",
      "var(--sunken)",
      "var(--surface)",
      "var(--ground)",
      "var(--ground)",
      "var(--ground)",
    ],
    red: shades("var(--danger-soft)", "var(--danger)", "var(--danger)"),
  },
  variantColorResolver(input) {
    const resolved = defaultVariantColorsResolver(input);
    if (input.variant === "subtle")
      return { ...resolved, color: "var(--ink-soft)", hover: "var(--sunken)", hoverColor: "var(--ink)" };
    if (input.variant === "outline" && input.color === "red")
      return { ...resolved, color: "var(--danger)", border: "1px solid var(--danger)", hover: "var(--danger-soft)" };
    return input.variant === "filled"
      ? { ...resolved, color: input.color === "red" ? "var(--surface)" : "var(--on-accent)" }
      : resolved;
  },
  fontFamily: "var(--font-text)",
  fontFamilyMonospace: "var(--font-code)",
  headings: { fontFamily: "var(--font-text)", fontWeight: "var(--weight-title)" },
  fontSizes: { xs: "var(--text-small)", sm: "var(--text-small)", md: "var(--text)", lg: "var(--text-lead)" },
  spacing: {
    xs: "var(--space-2)",
    sm: "var(--space-3)",
    md: "var(--space-4)",
    lg: "var(--space-5)",
    xl: "var(--space-6)",
  },
  radius: { sm: "var(--radius-small)", md: "var(--radius)" },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Also announced by screen readers.
    InputError: { defaultProps: { role: "alert" } },
    // Imported here, it is loaded with the layout, once, and not again with each page and with the error page.
    Button: Button.extend({ defaultProps: { size: "md" } }),
    TextInput: { defaultProps: { size: "md", withAsterisk: false } },
    PasswordInput: { defaultProps: { size: "md", withAsterisk: false } },
  },
});

const surfaces = {
  "--mantine-color-body": "var(--surface)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-soft)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--danger)",
  "--mantine-color-success": "var(--accent)",
  "--mantine-color-placeholder": "var(--ink-soft)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-disabled": "var(--sunken)",
  "--mantine-color-disabled-color": "var(--ink-soft)",
  "--mantine-color-disabled-border": "var(--line)",
};

/** The colours of Mantine's components, for both colour schemes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark: surfaces });
