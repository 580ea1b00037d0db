import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/live",
  summary: "Says whether this process responds. Asks no database: a restart does not bring one back.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.object({ status: z.literal("live") }),
  example: { response: { status: "live" } },
  respond: async () => ({ status: "live" }),
});
