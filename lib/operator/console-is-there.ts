import type { Caller } from "@/lib/user";
import { hasAdministrator } from "./first-admin";
import { isOperator } from "./require-operator";

/**
 * Whether there is a page at this path of the console for this user: all for an administrator. One page tells any user
 * of a service without an administrator how there will be one.
 */
export async function isConsoleThere(user: Pick<Caller, "role">, path: string): Promise<boolean> {
  return isOperator(user) || (/^\/admin\/?$/.test(path) && !(await hasAdministrator()));
}
