// npm run clients: updates the types of the TypeScript client from the declarations of the API's routes
import { writeFileSync } from "node:fs";
import { routes } from "@/app/(api)/routes";
import { openApiDocument } from "@/lib/http/openapi";
import { API_TYPES, apiTypes } from "./clients/api-types";

writeFileSync(API_TYPES, apiTypes(openApiDocument(routes, "http://localhost:3000", "")));
