import { z } from "zod";
import { isAnswering } from "@/lib/db/client";
import { unavailable } from "@/lib/errors";
import { endpoint } from "@/lib/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/health",
  summary: "Says whether the service and its database respond.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.object({ status: z.literal("ok") }),
  example: { answer: { status: "ok" } },
  answer: async () => {
    if (!(await isAnswering())) throw unavailable("The database does not respond.");
    return { status: "ok" };
  },
});
