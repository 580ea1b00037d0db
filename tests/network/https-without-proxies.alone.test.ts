import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.NEXTAUTH_URL = "https://keys.example.org";
});

import { examine } from "@/lib/doctor/examine";
import type { Finding } from "@/lib/doctor/finding";

test(
  "doctor sees by the configuration alone that an https address has a proxy in front, which must be " + "named",
  async () => {
    const findings: Finding[] = [];
    for await (const finding of examine()) if (finding.check === "proxies") findings.push(finding);
    expect(findings).toEqual([
      {
        check: "proxies",
        problem: expect.stringContaining("NEXTAUTH_URL is https"),
        advice: expect.stringMatching(/^Set TRUSTED_PROXIES to the address/),
      },
    ]);
  },
);
