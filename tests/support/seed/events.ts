import { OPERATOR } from "@/lib/platform/audit";
import { idOf, nameOf, networkOf, numbers, type Rows, type Spread, timeOf } from "./dialect";
import { seededCreatorOf } from "./rows";

type Kind = [action: string, share: number, subject: string, actor: string, detail: string, isOfNetwork?: true];

const NETWORK = `'{"network":"' || ${networkOf("n")}`;

function kinds({ users, keys }: Spread): Kind[] {
  const key = idOf("key", `(n * 31) % ${Math.max(1, keys)}`);
  const creator = idOf("user", seededCreatorOf(users));
  const user = idOf("user", `(n * 17) % ${users}`);
  // One program of a customer's causes a twentieth of all.
  const busy = idOf("user", "1");
  const link = idOf("link", "n");
  const name = nameOf(`(n * 13) % ${users}`);
  const [nothing, changed, held] = ["'{}'", `'{"field":"data"}'`, `'{"user":"' || ${name} || '"}'`];
  const from = (more = "") => `${NETWORK} || '"${more}}'`;
  return [
    ["key.create", 180, key, creator, nothing],
    ["key.update", 50, key, busy, changed],
    ["key.update", 120, key, creator, changed],
    ["key.add", 150, key, creator, held],
    ["key.revoke", 50, key, creator, held],
    ["user.signin", 150, user, user, from(',"program":"Firefox"'), true],
    ["token.use", 50, user, user, from(',"name":"Backup"'), true],
    ["link.ask", 140, link, "NULL", from(), true],
    ["link.approve", 70, link, user, from(',"program":"MyTool"'), true],
    ["link.refuse", 20, networkOf("n"), "NULL", from(), true],
    ["user.password", 12, user, user, nothing],
    ["user.disable", 4, user, `'${OPERATOR}'`, nothing],
    ["user.enable", 4, user, `'${OPERATOR}'`, nothing],
  ];
}

export const eventRows: Rows = (size, from, to) => {
  const all = kinds(size);
  const choose = (of: (kind: Kind) => string) => {
    const endOf = (index: number) => all.slice(0, index + 1).reduce((end, [, share]) => end + share, 0);
    const cases = all.map((kind, index) => `WHEN n * 7919 % 1000 < ${endOf(index)} THEN ${of(kind)}`);
    return `CASE ${cases.join(" ")} END`;
  };
  // One of 100,000 is of a kind that hardly ever happens.
  const isRare = "n % 100000 = 99999";
  const step = Math.max(1, Math.floor(size.span / Math.max(1, size.events)));
  return `INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail", "network")
     SELECT ${timeOf(`${size.begin} + n * ${step}`)},
       CASE WHEN ${isRare} THEN 'console.refuse' ELSE ${choose(([action]) => `'${action}'`)} END,
       ${choose(([, , subject]) => subject)}, ${choose(([, , , actor]) => actor)},
       ${choose(([, , , , detail]) => detail)},
       ${choose(([, , , , , isOfNetwork]) => (isOfNetwork ? networkOf("n") : "NULL"))}
     FROM ${numbers(from, to)}`;
};
