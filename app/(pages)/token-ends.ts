import type { Grant } from "@/lib/accounts/access-tokens/create";
import type { Access } from "@/lib/platform/access";

const DAYS = { never: null, "30": 30, "1": 1 };
export type TokenEnd = keyof typeof DAYS;

/** The choices of when a token expires, as forms offer them. */
export const ENDS: { value: TokenEnd; label: string }[] = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "1", label: "In 1 day" },
];

/** What a form's fields grant to a new token. */
export const grantOf = (access: Access, ends: TokenEnd): Grant => ({ access, days: DAYS[ends] });
