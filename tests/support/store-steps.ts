import fc from "fast-check";
import type { Numbers, StoreAndModel } from "./store-and-model";
import { addFolder, put, replaceAll, upload } from "./store-contents";
import { deleteSome, move, rename, restore, sweep } from "./store-entries";

const STEPS = {
  folder: addFolder,
  put,
  upload,
  rename,
  move,
  delete: deleteSome,
  restore,
  sweep,
  import: replaceAll,
};

/** A step that anybody may take, the usual ones more often. */
export const step = fc.record({
  kind: fc.constantFrom(
    "folder",
    "folder",
    "put",
    "put",
    "put",
    "upload",
    "rename",
    "move",
    "move",
    "delete",
    "restore",
    "sweep",
    "import",
  ),
  one: fc.nat(),
  two: fc.nat(),
  three: fc.nat(),
});

/** Takes the store and its model through one step. */
export async function runStep(pair: StoreAndModel, step: Numbers & { kind: keyof typeof STEPS }): Promise<void> {
  pair.now++;
  await STEPS[step.kind](pair, step);
}
