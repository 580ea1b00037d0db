import { db } from "@/lib/db/client";

/** Whether somebody can open the console. */
export async function hasAdministrator(): Promise<boolean> {
  return (await db.user.findFirst({ where: { role: "admin" }, select: { id: true } })) !== null;
}
