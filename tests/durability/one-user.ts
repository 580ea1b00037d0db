import { afterAll, beforeAll } from "vitest";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { expectOthersAnswered } from "@/tests/support/others-answered";
import { type RunningService, startService } from "@/tests/support/service";
import type { TestUser } from "@/tests/support/user";

/** A service of its own for this file's tests, with an operator and one user. */
export function startWithOneUser() {
  let service: RunningService;
  let operator: Operator;
  let user: TestUser;
  beforeAll(async () => {
    service = await startService({ lane: "direct", database: "sqlite" });
    operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
    user = await operator.tell("createUser", "someone", "correct horse battery");
  });
  afterAll(async () => {
    operator?.stop();
    await service?.stop();
  });
  // There once the tests run.
  return {
    get service() {
      return service;
    },
    get operator() {
      return operator;
    },
    get user() {
      return user;
    },
    expectAnswers: () => expectOthersAnswered(service.url, user.token),
  };
}
