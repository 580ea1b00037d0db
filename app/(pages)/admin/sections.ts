/** The pages of the console, in the order of its navigation. */
export const SECTIONS = [
  { href: "/admin", name: "Overview" },
  { href: "/admin/users", name: "Users" },
  { href: "/admin/keys", name: "Keys" },
  { href: "/admin/links", name: "Links" },
  { href: "/admin/audit", name: "Audit" },
  { href: "/admin/settings", name: "Settings" },
] as const;

export type Section = (typeof SECTIONS)[number]["name"];
