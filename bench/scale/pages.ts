import { tokensOf } from "@/lib/access-tokens/list";
import { activityOf } from "@/lib/account/activity";
import { lossesOf } from "@/lib/account/losses";
import { identitiesOf } from "@/lib/auth/identities";
import { tokenMadeAt } from "@/lib/auth/rotate-token";
import { sessionsOf } from "@/lib/auth/sessions";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { searchFiles } from "@/lib/files/search";
import { unfinishedUploads } from "@/lib/files/unfinished-uploads";
import { listKeys } from "@/lib/keys/list";
import { newsFor } from "@/lib/keys/news";
import { offersTo } from "@/lib/keys/offers/list";
import { linkedPrograms } from "@/lib/link/programs";
import { emailOf } from "@/lib/mail/addresses";
import { passkeysOf } from "@/lib/passkeys/list";
import { recoveryOf } from "@/lib/recovery/overview";
import { consoleQueries } from "../console-queries";
import type { Measured } from "./routes";
import type { Sample, Somebody } from "./samples";

const ROWS = 25;

/** Gives the samples a small document, whose index the page of files reads. */
export async function giveDocuments(samples: Sample[]): Promise<void> {
  for (const { creator } of samples) await importDocument(creator, documentOf(creator.username));
}

async function* documentOf(username: string): AsyncGenerator<Uint8Array> {
  const id = (n: number) => n.toString(16).padStart(32, "0");
  const entry = (type: string, name: string, location: string, data: unknown, n: number) => {
    const size = typeof data === "string" ? data.length : 0;
    return [type, name, location, data, "", 0, 0, 0, 1, 2, "", size, [], id(n)];
  };
  const files = [2, 3, 4].map((n) =>
    entry(".txt", `notes ${n}`, `origin/(c) users/${username}`, "text ".repeat(40), n),
  );
  const root = entry(".folder", username, "origin/(c) users", [2, 3, 4].map(id), 1);
  yield Buffer.from(JSON.stringify([root, ...files].flat()));
}

/** What the pages for people query. */
export function pagesToMeasure(): Measured[] {
  const page = (name: string, queries: (user: Somebody) => Promise<unknown>[]): Measured => ({
    name: `page ${name}`,
    run: async ({ creator }) => await Promise.all(queries(creator)),
  });
  const person = (user: Somebody) => ({ ...user, role: "user" as const, access: "everything" as const });
  return [
    page("/keys", (user) => [
      listKeys(person(user), { kind: undefined, search: "", page: "" }),
      newsFor(user),
      offersTo(user),
    ]),
    page("/keys, a search", (user) => [listKeys(person(user), { kind: undefined, search: "licence", page: "" })]),
    page("/account", ({ id }) => [
      tokenMadeAt(id),
      linkedPrograms(id),
      tokensOf(id),
      sessionsOf(id),
      identitiesOf(id),
      passkeysOf(id),
      recoveryOf(id),
      emailOf(id),
      activityOf(id, ROWS),
      lossesOf(id),
    ]),
    page("/account/activity", ({ id }) => [activityOf(id, ROWS)]),
    page("/files", (user) => [
      listFolder(user.id, { sort: "name", descending: false, limit: ROWS }),
      unfinishedUploads(user),
    ]),
    page("/files, a search", ({ id }) => [searchFiles(id, "notes")]),
    page("/link, programs", ({ id }) => [linkedPrograms(id), tokensOf(id)]),
  ];
}

/** The part of the console that a query belongs to. */
const sectionOf = (query: string) => query.split(/[ :]/, 1)[0] ?? "";

/** The queries of the console by its section. */
export async function consoleToMeasure(): Promise<Map<string, (() => Promise<unknown>)[]>> {
  const sections = new Map<string, (() => Promise<unknown>)[]>();
  for (const [name, query] of await consoleQueries()) {
    const section = `console, ${sectionOf(name)}`;
    sections.set(section, [...(sections.get(section) ?? []), () => query()]);
  }
  return sections;
}
