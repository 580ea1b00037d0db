import type { RequestState } from "@/lib/link/view";

type Closed = Exclude<RequestState, "pending" | "approved" | "collected">;

/** What is said of a request that nothing more can happen to. */
export const CLOSING_WORDS: Record<Closed, { title: string; text: string }> = {
  expired: { title: "This code has expired", text: "Ten minutes have passed since the program asked for it. Ask it for a new one." },
  denied: { title: "Denied", text: "The program gets nothing. If it was yours after all, ask it for a new code." },
  used: { title: "This code was already used", text: "A code links once, and somebody else was faster. If the program is yours, ask it for a new code." },
  uncollected: {
    title: "The program came too late",
    text: "It did not collect your token within five minutes, so nothing was handed out. Ask it for a new code.",
  },
  revoked: { title: "Access is taken away", text: "The old token has stopped, in every program that had it. Link those that you want to go on using." },
};
