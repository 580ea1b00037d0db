import { ALICE, KEY, TIME } from "@/lib/api/example-values";

/** Alice's key, as shown to her. */
export const aliceKey = {
  key: KEY,
  id: KEY,
  name: "Spare room",
  type: "standard",
  price: 1.5,
  creator: ALICE,
  isCreator: true,
  owned: true,
  owns: true,
  data: "the secret",
  users: { [ALICE]: { time: Date.parse(TIME) / 1000 } },
  createdAt: TIME,
  updatedAt: TIME,
};
