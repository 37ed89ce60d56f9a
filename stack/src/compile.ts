import { PROCESSES } from './processes.ts';
import { RUNNER } from './shared-processes.ts';

// Runs as a separate process, started by compile-ahead.ts. It imports the main module of every process and exits; Node
// writes the compiled code to NODE_COMPILE_CACHE. Each main.ts gets invalid settings, so it starts nothing. Its exit is
// replaced by an error.
const exit = process.exit;
process.env.LISTEN = 'nowhere';
process.env.PORT = 'nowhere';
process.exit = () => {
  throw new Error('refused its settings');
};
for (const entry of [...PROCESSES.map((row) => row.entry), RUNNER]) {
  await import(new URL(`../../${entry}`, import.meta.url).href).catch(() => undefined);
}
exit(0);
