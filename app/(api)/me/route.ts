import { z } from "zod";
import { overview, overviewOf } from "@/lib/account/overview";
import { endpoint } from "@/lib/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  path: "/me",
  summary: "Says who the token belongs to, and how much that user has.",
  access: "read",
  caller: "token",
  parameters: z.object({}),
  response: overview,
  answer: ({ caller }) => overviewOf(caller.id),
});
