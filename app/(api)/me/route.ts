import { z } from "zod";
import { overview, overviewOf } from "@/lib/account/overview";
import { ALICE, TIME } from "@/lib/http/cast";
import { endpoint } from "@/lib/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/me",
  summary: "Says who the token belongs to, and how much that user has.",
  access: "read",
  caller: "token",
  parameters: z.object({}),
  response: overview,
  example: { answer: { username: ALICE, role: "user", createdAt: TIME, keys: 1, files: { entries: 0, bytes: 0 } } },
  answer: ({ caller }) => overviewOf(caller.id),
});
