/** Where a browser keeps the scheme that was chosen instead of the system's. */
const STORED_SCHEME = "color-scheme";

const DARK = "(prefers-color-scheme: dark)";

type Scheme = "light" | "dark";

const systemScheme = (): Scheme => (window.matchMedia(DARK).matches ? "dark" : "light");

/** Gives the document the chosen scheme, or else the system's. Browsers that store nothing have only the latter. */
function showScheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORED_SCHEME);
  } catch {}
  document.documentElement.dataset.colorScheme = stored === "light" || stored === "dark" ? stored : systemScheme();
}

/** Shows the scheme, and follows the system and the other tabs. Returns what ends it. */
export function followScheme(): () => void {
  const system = window.matchMedia(DARK);
  showScheme();
  system.addEventListener("change", showScheme);
  addEventListener("storage", showScheme);
  return () => {
    system.removeEventListener("change", showScheme);
    removeEventListener("storage", showScheme);
  };
}

/** Changes to the other scheme. Changed back to the system's, the pages follow the system again. */
export function changeScheme(): void {
  const next = document.documentElement.dataset.colorScheme === "dark" ? "light" : "dark";
  document.documentElement.dataset.colorScheme = next;
  try {
    if (next === systemScheme()) localStorage.removeItem(STORED_SCHEME);
    else localStorage.setItem(STORED_SCHEME, next);
  } catch {}
}

/** Before anything is painted. The rest follows when the page's script has loaded. */
const SHOW = `{
  let stored;
  try { stored = localStorage.getItem("${STORED_SCHEME}"); } catch {}
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.colorScheme = stored === "light" || stored === "dark" ? stored : system;
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
