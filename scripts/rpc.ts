import { text } from 'node:stream/consumers';
import { loadDotEnv } from '@gatehouse/cli/dot-env';
import { run } from './rpc/run.ts';

// Whoever reads may have read enough: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

/** `npm run rpc`: the client that has no generated code. */
try {
  loadDotEnv();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(2);
}
const { code, stderr } = await run(
  process.argv.slice(2),
  process.env,
  () => text(process.stdin),
  (part) => process.stdout.write(part),
);
process.stderr.write(stderr);
process.exitCode = code;
