import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { isReady } from "@/lib/platform/db/ready";
import { unavailable } from "@/lib/platform/errors";

const WHY_NOT =
  "The database does not respond, is read-only, is not migrated yet, or its disk is full or has failed; " +
  "or this process is about to end.";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/ready",
  summary: "Says whether requests may be sent here: the database responds, stores changes and has every migration.",
  access: "read",
  caller: "nobody",
  parameters: z.object({}),
  response: z.object({ status: z.literal("ready") }),
  example: { response: { status: "ready" } },
  respond: async () => {
    if (!(await isReady())) throw unavailable(WHY_NOT);
    return { status: "ready" };
  },
});
