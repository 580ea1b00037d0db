// npm run configuration updates the table of variables in docs/configuration.md

import { readFileSync, writeFileSync } from "node:fs";
import { CONFIGURATION_PAGE, withConfiguration } from "./configuration";

writeFileSync(CONFIGURATION_PAGE, withConfiguration(readFileSync(CONFIGURATION_PAGE, "utf8")));
