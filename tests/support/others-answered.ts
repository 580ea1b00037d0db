import { expect } from "vitest";
import { ask } from "./http";

/** Other clients get responses as usual, whatever one of them does: on open connections and on new ones. */
export async function expectOthersAnswered(origin: string, token: string): Promise<void> {
  for (let count = 0; count < 20; count++) {
    expect((await ask("/me", { query: { auth: token } }, origin)).status).toBe(200);
    expect((await ask("/health", { headers: { Connection: "close" } }, origin)).status).toBe(200);
  }
  const [data, price] = ["kept", "1"];
  expect((await ask("/keys/create", { query: { auth: token, data, price } }, origin)).status).toBe(200);
  expect((await ask("/signin", {}, origin)).status).toBe(200);
}
