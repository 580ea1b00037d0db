import { z } from "zod";
import { overview, overviewOf } from "@/lib/account/overview";
import { ALICE, TIME } from "@/lib/http/cast";
import { endpoint, type Route } from "@/lib/http/endpoint";

/** The route that says who a token belongs to, under one of its names. It takes nothing but the token: no other service's password. */
export function userRoute(path: string, summary: string): Route {
  return endpoint({
    path,
    summary,
    access: "read",
    caller: "token",
    parameters: z.object({}),
    response: overview,
    example: { answer: { username: ALICE, role: "user", createdAt: TIME, keys: 1, files: { entries: 0, bytes: 0 } } },
    answer: ({ caller }) => overviewOf(caller.id),
  });
}
