import { expect, test, vi } from "vitest";
import { mail } from "@/lib/doctor/mail";
import { env } from "@/lib/env";
import { startMailServer } from "./mail-server";
import { newReader } from "./people";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example";
  process.env.MAIL_FROM = "keys@keys.example";
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
});

test("the doctor says whether messages can be sent", async () => {
  const server = await startMailServer();
  const problems = async (url?: string) => {
    env.SMTP_URL = url;
    const found: string[] = [];
    for await (const { problem } of mail(new Date())) found.push(problem);
    return found;
  };
  try {
    const withLogin = (password: string) => server.url.replace("//", `//keys:${password}@`);
    expect(await problems()).toEqual([]);
    expect(await problems(server.url)).toEqual([]);
    expect(await problems(withLogin("right%20horse"))).toEqual([]);
    const refused = await problems(withLogin("wrong-horse"));
    expect(refused).toEqual([expect.stringMatching(/^The mail server in SMTP_URL refuses the login \(535\)/)]);
    expect(refused.join()).not.toContain("wrong-horse");
    expect(await problems("smtp://127.0.0.1:1")).toEqual([expect.stringMatching(/cannot be used \(ESOCKET\)/)]);
    env.SMTP_URL = server.url;
    await newReader(server);
    expect(await problems()).toEqual([expect.stringMatching(/^1 e-mail address is stored/)]);
  } finally {
    await server.stop();
  }
});
