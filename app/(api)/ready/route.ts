import { z } from "zod";
import { pendingMigrations } from "@/lib/db/migrations";
import { unavailable } from "@/lib/errors";
import { endpoint } from "@/lib/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/ready",
  summary: "Says whether requests may be sent here: the database answers and has every migration.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.object({ status: z.literal("ready") }),
  example: { answer: { status: "ready" } },
  answer: async () => {
    const pending = await pendingMigrations().catch(() => ["all"]);
    if (pending.length > 0) throw unavailable("The database does not answer, or is not migrated yet.");
    return { status: "ready" };
  },
});
