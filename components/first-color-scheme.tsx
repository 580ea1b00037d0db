import { KEPT_SCHEME } from "./color-scheme";

/** Before anything is painted. The rest follows when the page's script has loaded. */
const SHOW = `{
  let kept;
  try { kept = localStorage.getItem("${KEPT_SCHEME}"); } catch {}
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.colorScheme = kept === "light" || kept === "dark" ? kept : system;
}`;

/** Gives the document its colour scheme before the first paint. */
export function FirstColorScheme({ nonce }: { nonce: string }) {
  // Browsers hide a nonce from scripts, React's included.
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {SHOW}
    </script>
  );
}
