import { expect, test } from "vitest";
import { Bodies } from "@/server/bodies";

const limits = { ofNetwork: { count: 4, bytes: 400 }, ofAll: { count: 8, bytes: 800 } };

function sender(bodies: Bodies, network: string, isOwn = true) {
  const cut: string[] = [];
  return { cut, begin: (name: string, bytes = 10) => bodies.enter(network, isOwn, bytes, () => cut.push(name)) };
}

test("a network has its share, by count and by bytes, and gets it back", () => {
  const bodies = new Bodies(limits);
  const one = sender(bodies, "one");
  const leave = [1, 2, 3, 4].map((name) => one.begin(String(name)));
  expect(() => one.begin("5")).toThrow(expect.objectContaining({ status: 429, headers: { "Retry-After": "2" } }));
  leave[0]?.();
  leave[0]?.();
  one.begin("5");
  expect(() => one.begin("6")).toThrow(expect.objectContaining({ status: 429 }));

  const two = sender(bodies, "two");
  two.begin("large", 390);
  expect(() => two.begin("larger", 20)).toThrow(expect.objectContaining({ status: 429 }));
});

test("where all places are held by who finishes nothing, his oldest goes, and the newcomer is let in", () => {
  const bodies = new Bodies(limits);
  const [greedy, other, newcomer] = ["greedy", "other", "newcomer"].map((network) => sender(bodies, network));
  for (const name of ["1", "2", "3", "4"]) {
    greedy?.begin(name);
    if (name !== "4") other?.begin(name);
  }
  other?.begin("4")();
  newcomer?.begin("first");
  newcomer?.begin("second");
  expect([greedy?.cut, other?.cut, newcomer?.cut]).toEqual([["1"], [], []]);
});

test("one that alone is too large for what is left cuts as many as it needs, and nobody who holds less", () => {
  const bodies = new Bodies(limits);
  const [large, small, newcomer] = ["large", "small", "newcomer"].map((network) => sender(bodies, network));
  for (const name of ["1", "2"]) large?.begin(name, 200);
  small?.begin("1", 100);
  newcomer?.begin("1", 300);
  newcomer?.begin("2", 20);
  expect([large?.cut, small?.cut]).toEqual([["1"], []]);
  expect(() => small?.begin("2", 300)).toThrow(expect.objectContaining({ status: 503 }));
});

test("behind a proxy that nobody configured all are one network, and none has a share of its own to exceed", () => {
  const bodies = new Bodies(limits);
  const everybody = sender(bodies, "unconfigured proxy", false);
  for (let name = 1; name <= 8; name++) everybody.begin(String(name));
  expect(() => everybody.begin("9")).toThrow(expect.objectContaining({ status: 503 }));
});
