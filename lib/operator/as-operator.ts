import { OPERATOR } from "@/lib/audit";
import type { Caller } from "@/lib/user";

/** The admin command as a caller: like an administrator, it manages every key, and holds none. */
export const AS_OPERATOR: Caller = { id: OPERATOR, username: OPERATOR, role: "admin" };
