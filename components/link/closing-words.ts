import type { RequestState } from "@/lib/link/view";

type Closed = Exclude<RequestState, "pending" | "approved" | "collected">;

/** What is said of a request that nothing more can happen to. */
export const CLOSING_WORDS: Record<Closed, { title: string; text: string }> = {
  closed: { title: "This code can't be used", text: "It may have expired, or it was used already. Ask the program for a new one." },
  denied: { title: "Denied", text: "The program gets nothing. If it was yours after all, ask it for a new code." },
  uncollected: {
    title: "The program came too late",
    text: "It did not collect your token within five minutes, so nothing was handed out. Ask it for a new code.",
  },
  revoked: { title: "Access is taken away", text: "The old token has stopped, in every program that had it. Link those that you want to go on using." },
};
