import { PROCESSES } from './processes.ts';

// A process by itself (./compile-ahead.ts): loads all that the suite's processes load, and ends. Node
// writes what it compiled on the way to NODE_COMPILE_CACHE.
//
// Each main.ts is given settings that it refuses, so it starts nothing, and its exit is held up.
const exit = process.exit;
process.env.LISTEN = 'nowhere';
process.env.PORT = 'nowhere';
process.exit = () => {
  throw new Error('refused its settings');
};
for (const { entry } of PROCESSES) {
  await import(new URL(`../../${entry}`, import.meta.url).href).catch(() => undefined);
}
exit(0);
