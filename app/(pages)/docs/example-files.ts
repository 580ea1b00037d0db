import backupMjs from "@/examples/backup.mjs?raw";
import backupPy from "@/examples/backup.py?raw";
import backupSh from "@/examples/backup.sh?raw";
import checkKeyMjs from "@/examples/check-key.mjs?raw";
import checkKeyPy from "@/examples/check-key.py?raw";
import checkKeySh from "@/examples/check-key.sh?raw";
import desktopMjs from "@/examples/desktop.mjs?raw";
import linkPy from "@/examples/link.py?raw";
import linkSh from "@/examples/link.sh?raw";
import linkBrowserHtml from "@/examples/link-browser.html?raw";
import linkNodeMjs from "@/examples/link-node.mjs?raw";
import listFilesPy from "@/examples/list-files.py?raw";
import productionEnv from "@/examples/production.env?raw";

/** The programs of the folder examples/, by name. Tests run them. */
export const EXAMPLES = {
  "backup.mjs": backupMjs,
  "backup.py": backupPy,
  "backup.sh": backupSh,
  "check-key.mjs": checkKeyMjs,
  "check-key.py": checkKeyPy,
  "check-key.sh": checkKeySh,
  "desktop.mjs": desktopMjs,
  "link-browser.html": linkBrowserHtml,
  "link-node.mjs": linkNodeMjs,
  "link.py": linkPy,
  "link.sh": linkSh,
  "list-files.py": listFilesPy,
  "production.env": productionEnv,
};

export type ExampleName = keyof typeof EXAMPLES;

/** Whether there is an example of this name. */
export function isExample(name: string): name is ExampleName {
  return Object.hasOwn(EXAMPLES, name);
}

/** A program as its reader would run it: against this service. */
export function exampleFor(name: ExampleName, origin: string): string {
  return EXAMPLES[name].replaceAll("http://localhost:3000", origin).replaceAll("examples/", "");
}
