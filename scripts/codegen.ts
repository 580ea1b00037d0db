// npm run codegen: writes every file of the repository that others determine. Tests fail when one is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { API_TYPES, apiTypes } from "./clients/api-types";
import { EXPLANATIONS, explanations } from "./configuration";
import { describedIn, pythonRecords, pythonRefusals } from "./python-records";
import { CONFIG, PROXY, ROUTES, routesModule, withMatcher, withPrefixes } from "./route-files";

// From the files of app/: the list of the API's routes, the matcher of proxy.ts, and the prefixes in next.config.mjs.
writeFileSync(ROUTES, routesModule());
writeFileSync(PROXY, withMatcher(readFileSync(PROXY, "utf8")));
writeFileSync(CONFIG, withPrefixes(readFileSync(CONFIG, "utf8")));

// From that list, as it is now: the types and errors of the clients.
const { routes } = await import("@/app/(api)/routes");
const { openApiDocument } = await import("@/lib/api/openapi");
writeFileSync(API_TYPES, apiTypes(openApiDocument(routes, "http://localhost:3000", "")));
const description = describedIn(openApiDocument(routes, "http://localhost:3000", "1"));
writeFileSync("clients/python/src/latchkey/records.py", pythonRecords(description));
writeFileSync("clients/python/src/latchkey/refusals.py", pythonRefusals(description));

// From .env.example: what the console says of the settings.
writeFileSync(EXPLANATIONS, explanations());
