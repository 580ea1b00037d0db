import { IconUser } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ColorSchemeToggle } from "./color-scheme-toggle";
import { Mark } from "./mark";
import styles from "./shell.module.css";

/** The name of who is signed in, null for nobody, undefined where that is not known (an error page). */
type Viewer = string | null | undefined;

/** What a signed-in person finds in the head, beside the account. */
const PAGES = [
  { href: "/link", name: "Link", label: "Link a program" },
  { href: "/keys", name: "Keys", label: "Keys" },
  { href: "/files", name: "Files", label: "Files" },
  { href: "/docs", name: "Docs", label: "Docs" },
];

interface LinksProps {
  viewer?: Viewer;
  /** Of the page around which this is; undefined where that is not known. */
  path?: string;
  signUpOpen?: boolean;
}

/** What is around every page: the way past the head, the head with its links, and the foot. */
export function Shell({ viewer, path, signUpOpen = false, children }: LinksProps & { children: ReactNode }) {
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <header className={styles.head}>
        <a href="/" className={styles.name}>
          <Mark size={30} />
          <span>Latchkey</span>
        </a>
        <nav className={styles.links} aria-label="Main">
          <Links viewer={viewer} path={path} signUpOpen={signUpOpen} />
        </nav>
        <ColorSchemeToggle />
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        <noscript>
          <p className={styles.noscript}>
            JavaScript is off here, so the forms and buttons of these pages do nothing. Programs need none: see <a href="/docs">the interface</a>.
          </p>
        </noscript>
        {children}
      </main>
      <footer className={styles.foot}>
        <p>
          These pages load nothing from anywhere else, and follow nobody. For programs: <a href="/docs">documentation</a>.
        </p>
      </footer>
    </div>
  );
}

function Links({ viewer, path = "", signUpOpen }: LinksProps) {
  if (viewer === undefined) return null;
  const here = (href: string) => (path === href ? "page" : path.startsWith(`${href}/`) || undefined);
  if (viewer === null) {
    return (
      <>
        <a href="/link" aria-label="Link a program" aria-current={here("/link")}>
          Link
        </a>
        <a href="/docs" aria-current={here("/docs")}>
          Docs
        </a>
        <a href="/signin" aria-current={here("/signin")}>
          Sign in
        </a>
        {signUpOpen && (
          <a href="/signup" className={styles.strong} aria-current={here("/signup")}>
            Sign up
          </a>
        )}
      </>
    );
  }
  return (
    <>
      {PAGES.map(({ href, name, label }) => (
        <a key={href} href={href} aria-label={label} aria-current={here(href)}>
          {name}
        </a>
      ))}
      <a href="/account" className={styles.viewer} aria-label={`Account of ${viewer}`} aria-current={here("/account")}>
        <IconUser size={16} stroke={2} aria-hidden />
        <span>{viewer}</span>
      </a>
    </>
  );
}
