import { z } from "zod";
import { LONGEST_USERNAME, SHORTEST_USERNAME } from "@/lib/stated-bounds";

/** What a username looks like (contract, section 1: username). */
export const USERNAME = new RegExp(`^[A-Za-z0-9_-]{${SHORTEST_USERNAME},${LONGEST_USERNAME}}$`);

/** The name of a user who may not exist. */
export const username = z.string().min(1, "must name a user").describe("A username, in upper or lower case.");

/** No name is longer than half of it: of a longer text, the rest is not read. */
const MOST_READ = 2 * LONGEST_USERNAME;

/** Usernames are unique without regard to case. */
export function usernameKey(name: string): string {
  return name.slice(0, MOST_READ).toLowerCase();
}
