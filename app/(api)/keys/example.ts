import { ALICE, KEY, TIME } from "@/lib/api/example-values";
import { plainFields } from "@/lib/keys/schema";

const { price: _, ...texts } = plainFields({ name: "Spare room" });

/** Alice's key, as shown to her. */
export const aliceKey = {
  key: KEY,
  id: KEY,
  ...texts,
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
