import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { everyTenthLost, faultyWay } from "./servers";

const KEYS = 10_000;

let service: RunningService;
let operator: Operator;
beforeAll(async () => {
  service = await startService({ lane: "direct", database: "postgresql", processes: 2 });
  operator = await startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
});
afterAll(async () => {
  operator?.stop();
  await service?.stop();
});

test.each([
  ["Java", ["java", "tests/clients/programs/Create.java"]],
  ["Ruby", ["ruby", "tests/clients/programs/create.rb"]],
  ["urllib3", ["python3", "tests/clients/programs/create.py"]],
])(
  "%s creates 10,000 keys by 10,000 requests that name themselves, though every tenth response is lost",
  async (name, command) => {
    using way = await faultyWay(service.url, everyTenthLost());
    const { id } = await operator.tell("createUser", `user_of_${name}`, "correct horse battery");
    const auth = await operator.tell("rotateToken", id);
    const [program = "", ...words] = [...command, way.url, auth, String(KEYS)];
    const { stdout } = await promisify(execFile)(program, words, { maxBuffer: 100_000_000 });
    expect(stdout.trim()).toBe(String(KEYS));
    expect((await sendTo(service.url, "/keys/mine", { query: { auth } })).list).toHaveLength(KEYS);
    expect(way.counts.get("lost")).toBeGreaterThan(KEYS / 10);
  },
);
