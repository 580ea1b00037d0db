import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { openApiDocument } from "@/lib/http/openapi";
import manifest from "@/package.json";
import { routes } from "../routes";

const route = endpoint({
  path: "/openapi.json",
  summary: "Describes this API (OpenAPI 3.1).",
  access: "read",
  caller: "nobody",
  isForProgramsOnly: true,
  parameters: z.object({}),
  response: z.looseObject({ openapi: z.literal("3.1.0") }),
  example: { answer: { openapi: "3.1.0" } },
  answer: async ({ origin }): Promise<unknown> =>
    openApiDocument({ ...routes, "/openapi.json": route }, origin, manifest.version),
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route;
