// npm run configuration   brings the table of variables in README.md up to date

import { readFileSync, writeFileSync } from "node:fs";
import { withConfiguration } from "./configuration";

writeFileSync("README.md", withConfiguration(readFileSync("README.md", "utf8")));
