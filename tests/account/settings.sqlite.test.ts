import { expect, test } from "vitest";
import type { z } from "zod";
import { unsafeIn } from "@/lib/operator/doctor/unsafe-settings";
import { matchingSettings, settingsBySection, withoutSecrets } from "@/lib/operator/settings";
import { environment, parseEnvironment } from "@/lib/platform/env";

const MARK = "marked-secret-of-this-test-0123456789";
const SECRETS = ["OIDC_SECRET", "GITHUB_SECRET", "GOOGLE_SECRET", "DISCORD_SECRET", "AUTH_SECRET", "METRICS_TOKEN"];
const SET = {
  ...Object.fromEntries([...SECRETS, "CRON_SECRET"].map((name) => [name, MARK])),
  ...Object.fromEntries(["OIDC_ID", "GITHUB_ID", "GOOGLE_ID", "DISCORD_ID"].map((name) => [name, "client"])),
  DATABASE_URL: `postgresql://user-${MARK}:${MARK}@db.example.org:5433/latchkey?password=${MARK}&sslmode=require`,
  DIRECT_DATABASE_URL: `postgresql://u:${MARK}@direct.example.org/latchkey`,
  SMTP_URL: `smtps://u:${MARK}@mail.example.org`,
  MAIL_FROM: "keys@example.org",
  NEXTAUTH_URL: "https://keys.example.org",
  OIDC_ISSUER: `https://u:${MARK}@login.example.org/realm?x=${MARK}`,
  PORT: "4000",
};
type Sections = ReturnType<typeof settingsBySection>;
const settingsOf = (sections: Sections) => sections.flatMap(({ groups }) => groups.flatMap((group) => group.settings));
const all = settingsBySection(parseEnvironment(SET), new Set(Object.keys(SET)));
const settings = settingsOf(all);
const setting = (name: string) => settings.find((one) => one.name === name);

test("every setting is shown once and classified: secrets by their names, addresses without their passwords", () => {
  expect(settings.map(({ name }) => name).sort()).toEqual(Object.keys(environment.shape).sort());
  for (const [name, declared] of Object.entries<z.ZodType>(environment.shape)) {
    const how = declared.meta()?.shown;
    expect([name, how]).toEqual([name, expect.stringMatching(/^(?:plain|secret|address)$/)]);
    if (/SECRET$|TOKEN$|PASSWORD$/.test(name) && name !== "LINK_TOKEN") expect([name, how]).toEqual([name, "secret"]);
    if (/_URL$/.test(name) && name !== "NEXTAUTH_URL") expect([name, how]).toEqual([name, "address"]);
  }
});

test("no secret is shown", () => {
  expect(JSON.stringify(all)).not.toContain(MARK);
  expect(setting("AUTH_SECRET")).toMatchObject({ value: "set", source: "environment" });
  expect(setting("DATABASE_URL")?.value).toBe("postgresql://db.example.org:5433/latchkey");
  expect(setting("OIDC_ISSUER")?.value).toBe("https://login.example.org/realm");
  expect(withoutSecrets("smtp://:pw@[::1]:2525")).toBe("smtp://[::1]:2525");
});

test("a setting says where it comes from, and what is usual", () => {
  expect(setting("PORT")).toEqual({ name: "PORT", value: "4000", source: "environment", default: "3000" });
  expect(setting("DATA_DIR")).toEqual({ name: "DATA_DIR", value: "data", source: "default", default: "data" });
  expect(setting("CONTACT")).toEqual({ name: "CONTACT", value: null, source: "default", default: null });
  const first = settingsOf(settingsBySection(parseEnvironment({}), new Set())).find(
    ({ name }) => name === "AUTH_SECRET",
  );
  expect(first).toMatchObject({ value: "set", source: "data folder" });
});

test("settings are found by name, value and explanation", () => {
  const names = (typed: string) => settingsOf(matchingSettings(all, typed)).map(({ name }) => name);
  expect(names("metrics_tok")).toEqual(["METRICS_TOKEN"]);
  expect(names("direct.example")).toEqual(["DIRECT_DATABASE_URL"]);
  expect(names("Prometheus")).toContain("METRICS_TOKEN");
  expect(names(MARK)).toEqual([]);
  expect(names(" ").length).toBe(settings.length);
});

test.each([
  [{ NEXTAUTH_URL: "http://keys.example.org" }, /NEXTAUTH_URL is http/],
  [{ NODE_ENV: "production" }, /NEXTAUTH_URL is not set/],
  [{}, /secret is a file beside the database/],
  [{ NEXTAUTH_URL: "https://keys.example.org" }, /ALLOW_SIGNUP is true/],
  [{ DATABASE_URL: "postgresql://db.example.org/x", NEXTAUTH_URL: "https://a.b" }, /database is not verified/],
  [{ DATABASE_URL: "postgresql://u@/x?host=db.example.org", NEXTAUTH_URL: "https://a.b" }, /database is not verified/],
  [{ NODE_ENV: "production", LOG_LEVEL: "silent" }, /LOG_LEVEL is silent/],
])("%j is unsafe", (set, problem) => {
  const found = unsafeIn(parseEnvironment(set)).filter((one) => problem.test(one.problem));
  expect(found.length).toBe(1);
  expect(found[0]?.advice).not.toBe("");
});

test("a careful service has nothing unsafe", () => {
  const careful = {
    NODE_ENV: "production",
    NEXTAUTH_URL: "https://keys.example.org",
    AUTH_SECRET: MARK,
    ALLOW_SIGNUP: "false",
    DATABASE_URL: "postgresql://db.example.org/x?sslmode=verify-full",
  };
  expect(unsafeIn(parseEnvironment(careful))).toEqual([]);
  const local = { DATABASE_URL: "postgresql:///x?host=/run/postgresql", NEXTAUTH_URL: "http://localhost:3000" };
  expect(unsafeIn(parseEnvironment({ ...careful, ...local, ALLOW_SIGNUP: "true" }))).toEqual([]);
});
