// npm run routes: updates the list of the API's routes, the catch-all files, and the matcher of proxy.ts from the files
// of app/

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { catchAlls, PROXY, ROUTES, routesModule, withMatcher } from "./route-files";

writeFileSync(ROUTES, routesModule());
writeFileSync(PROXY, withMatcher(readFileSync(PROXY, "utf8")));
for (const [file, text] of catchAlls()) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
