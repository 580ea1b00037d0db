import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { isResponding } from "@/lib/platform/db/client";
import { unavailable } from "@/lib/platform/errors";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/health",
  summary: "Says whether the service and its database respond.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.object({ status: z.literal("ok") }),
  example: { response: { status: "ok" } },
  respond: async () => {
    if (!(await isResponding())) throw unavailable("The database does not respond.");
    return { status: "ok" };
  },
});
