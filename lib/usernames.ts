import { z } from "zod";

/** 3 to 20 of A-Z a-z 0-9 _ - (contract, section 1). */
export const USERNAME = /^[A-Za-z0-9_-]{3,20}$/;

/** The name of a user who may not exist. */
export const username = z.string().min(1, "must name a user").describe("A username, in upper or lower case.");

/** No name is longer than half of it: of a longer text, the rest is not read. */
const MOST_READ = 40;

/** Usernames are unique without regard to case. */
export function usernameKey(name: string): string {
  return name.slice(0, MOST_READ).toLowerCase();
}
