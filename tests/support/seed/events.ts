import { OPERATOR } from "@/lib/audit";
import { idOf, nameOf, networkOf, numbers, type Spread, timeOf } from "./dialect";
import { seededCreatorOf } from "./rows";

interface Kind {
  action: string;
  share: number;
  subject: string;
  actor: string;
  detail: string;
  isOfNetwork?: true;
}

const NETWORK = `'{"network":"' || ${networkOf("n")}`;

function kinds({ users, keys }: Spread): Kind[] {
  const key = idOf("key", `(n * 31) % ${Math.max(1, keys)}`);
  const creator = idOf("user", seededCreatorOf(users));
  const user = idOf("user", `(n * 17) % ${users}`);
  // One program of a customer's causes a twentieth of all.
  const busy = idOf("user", "1");
  const link = idOf("link", "n");
  const name = nameOf(`(n * 13) % ${users}`);
  return [
    { action: "key.create", share: 180, subject: key, actor: creator, detail: "'{}'" },
    { action: "key.update", share: 50, subject: key, actor: busy, detail: `'{"field":"data"}'` },
    { action: "key.update", share: 120, subject: key, actor: creator, detail: `'{"field":"data"}'` },
    { action: "key.add", share: 150, subject: key, actor: creator, detail: `'{"user":"' || ${name} || '"}'` },
    { action: "key.revoke", share: 50, subject: key, actor: creator, detail: `'{"user":"' || ${name} || '"}'` },
    {
      action: "user.signin",
      share: 150,
      subject: user,
      actor: user,
      detail: `${NETWORK} || '","program":"Firefox"}'`,
      isOfNetwork: true,
    },
    {
      action: "token.use",
      share: 50,
      subject: user,
      actor: user,
      detail: `${NETWORK} || '","name":"Backup"}'`,
      isOfNetwork: true,
    },
    { action: "link.ask", share: 140, subject: link, actor: "NULL", detail: `${NETWORK} || '"}'`, isOfNetwork: true },
    {
      action: "link.approve",
      share: 70,
      subject: link,
      actor: user,
      detail: `${NETWORK} || '","program":"MyTool"}'`,
      isOfNetwork: true,
    },
    {
      action: "link.refuse",
      share: 20,
      subject: networkOf("n"),
      actor: "NULL",
      detail: `${NETWORK} || '"}'`,
      isOfNetwork: true,
    },
    { action: "user.password", share: 12, subject: user, actor: user, detail: "'{}'" },
    { action: "user.disable", share: 4, subject: user, actor: `'${OPERATOR}'`, detail: "'{}'" },
    { action: "user.enable", share: 4, subject: user, actor: `'${OPERATOR}'`, detail: "'{}'" },
  ];
}

export const eventRows = (size: Spread) => {
  const all = kinds(size);
  const choose = (of: (kind: Kind) => string) => {
    const endOf = (index: number) => all.slice(0, index + 1).reduce((end, { share }) => end + share, 0);
    const cases = all.map((kind, index) => `WHEN n * 7919 % 1000 < ${endOf(index)} THEN ${of(kind)}`);
    return `CASE ${cases.join(" ")} END`;
  };
  // One of 100,000 is of a kind that hardly ever happens.
  const isRare = "n % 100000 = 99999";
  const step = Math.max(1, Math.floor(size.span / Math.max(1, size.events)));
  return (from: number, to: number) =>
    `INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail", "network")
     SELECT ${timeOf(`${size.begin} + n * ${step}`)},
       CASE WHEN ${isRare} THEN 'console.refuse' ELSE ${choose(({ action }) => `'${action}'`)} END,
       ${choose(({ subject }) => subject)}, ${choose(({ actor }) => actor)}, ${choose(({ detail }) => detail)},
       ${choose(({ isOfNetwork }) => (isOfNetwork ? networkOf("n") : "NULL"))}
     FROM ${numbers(from, to)}`;
};
