// npm run clients: writes the types and errors of the Python client from the description of the API

import { writeFileSync } from "node:fs";
import { routes } from "@/app/(api)/routes";
import { openApiDocument } from "@/lib/http/openapi";
import { describedIn, pythonRecords, pythonRefusals } from "./python-records";

const description = describedIn(openApiDocument(routes, "http://localhost:3000", "1"));
writeFileSync("clients/python/src/latchkey/records.py", pythonRecords(description));
writeFileSync("clients/python/src/latchkey/refusals.py", pythonRefusals(description));
