// Loaded before a program (NODE_OPTIONS): its pauses are a twentieth as long, for a test of what it says when
// it gives up.
const { setTimeout } = globalThis;
globalThis.setTimeout = (done, milliseconds, ...rest) => setTimeout(done, milliseconds / 20, ...rest);
