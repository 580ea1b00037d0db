import { expect, test } from "vitest";
import { isReservedName } from "@/lib/reserved-names";

test.each([
  "operator admin administrator system root support security latchkey null undefined mine api owner moderator staff",
  "help official everyone anonymous deleted unknown nobody postmaster",
  "Admin ADMIN aDmIn -admin- a_d_m_i_n ad-min admin_ __root__ lat-ch-key",
  "4dm1n adm1n 0perator r00t 5upport suppor7 nu11 nul1 nu1l offic1a1 he1p latchk3y adrnin",
  "admin1 admin007 support-24 root_2026",
  "the_admin latchkey-support support_team admin-team Official_Latchkey the-real-admin system-admin me-admin",
])("%s: every one of them is reserved", (names) => {
  expect(names.split(" ").filter((name) => !isReservedName(name))).toEqual([]);
});

test.each([
  "adminton badminton administer rooted beetroot supporter systematic nullable miner minecraft apiary rapid owen",
  "moderate stafford helper helena officer annie alice bob_1 u0123456789abcde ada-l mr_root4ever john-admin api_fan",
  "user1 guest_7 team the_team desk myteam unknown_artist security_guy1",
])("%s: none of them is", (names) => {
  expect(names.split(" ").filter((name) => isReservedName(name))).toEqual([]);
});
