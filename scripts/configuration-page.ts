// npm run configuration updates the table of variables in docs/configuration.md, and the explanations that the console
// shows

import { readFileSync, writeFileSync } from "node:fs";
import { CONFIGURATION_PAGE, EXPLANATIONS, explanations, withConfiguration } from "./configuration";

writeFileSync(CONFIGURATION_PAGE, withConfiguration(readFileSync(CONFIGURATION_PAGE, "utf8")));
writeFileSync(EXPLANATIONS, explanations());
