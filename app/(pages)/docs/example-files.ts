import type { CodeLanguage } from "@/components/code";
import operations from "@/docs/operations.md?raw";
import backupMjs from "@/examples/backup.mjs?raw";
import backupPy from "@/examples/backup.py?raw";
import backupSh from "@/examples/backup.sh?raw";
import checkKeyMjs from "@/examples/check-key.mjs?raw";
import checkKeyPy from "@/examples/check-key.py?raw";
import checkKeySh from "@/examples/check-key.sh?raw";
import desktopMjs from "@/examples/desktop.mjs?raw";
import gameServerMjs from "@/examples/game-server.mjs?raw";
import linkPy from "@/examples/link.py?raw";
import linkSh from "@/examples/link.sh?raw";
import linkBrowserHtml from "@/examples/link-browser.html?raw";
import linkNodeMjs from "@/examples/link-node.mjs?raw";
import listFilesPy from "@/examples/list-files.py?raw";
import offlineLicenceMjs from "@/examples/offline-licence.mjs?raw";
import playMjs from "@/examples/play.mjs?raw";
import productionEnv from "@/examples/production.env?raw";

/** A file in docs/operations.md, by the language of its block. Tests run these, too. */
function inOperations(language: string): string {
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(operations)?.[1] ?? "";
}

/** The programs of the folder examples/ and the settings of proxies, by name. Tests run them. */
const EXAMPLES = {
  Caddyfile: inOperations("caddy"),
  "backup.mjs": backupMjs,
  "backup.py": backupPy,
  "backup.sh": backupSh,
  "check-key.mjs": checkKeyMjs,
  "check-key.py": checkKeyPy,
  "check-key.sh": checkKeySh,
  "desktop.mjs": desktopMjs,
  "game-server.mjs": gameServerMjs,
  "haproxy.cfg": inOperations("haproxy"),
  "link-browser.html": linkBrowserHtml,
  "link-node.mjs": linkNodeMjs,
  "link.py": linkPy,
  "link.sh": linkSh,
  "list-files.py": listFilesPy,
  "nginx.conf": inOperations("nginx"),
  "offline-licence.mjs": offlineLicenceMjs,
  "play.mjs": playMjs,
  "production.env": productionEnv,
};

export type ExampleName = keyof typeof EXAMPLES;

/** Whether there is an example of this name. */
export function isExample(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLES, name);
}

const LANGUAGES: Record<string, CodeLanguage | undefined> = {
  env: "bash",
  html: "xml",
  mjs: "javascript",
  py: "python",
  sh: "bash",
};

/** What colours it. */
export const languageOf = (name: ExampleName): CodeLanguage => LANGUAGES[name.split(".")[1] ?? ""] ?? "plaintext";

/** A program as its reader would run it: against this service. */
export function exampleFor(name: ExampleName, origin: string): string {
  return EXAMPLES[name].replaceAll("http://localhost:3000", origin).replaceAll("examples/", "");
}
