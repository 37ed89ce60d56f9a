import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Runs as a separate process: loads the modules of the image's process, and exits. Node writes the compiled code to
// NODE_COMPILE_CACHE. Its settings are invalid, so nothing starts.
const APP = '/app';
const SERVICES = globSync('{gateway,services/*}/src/main.ts', { cwd: APP }).map((file) =>
  basename(dirname(dirname(file))),
);
const exit = process.exit;
process.env.LISTEN = 'nowhere';
process.env.PORT = 'nowhere';
process.env.SERVICES = SERVICES.join(','); // for the runner
process.argv.push('--help');
process.exit = () => {
  throw new Error('refused its settings');
};

for (const file of [join(APP, 'main.ts'), ...threads()]) await import(file).catch(() => undefined);
exit(0);

/** The entry modules of the process's threads and child processes. */
function threads(): string[] {
  const modules = globSync('{gateway,services/*}/src/**/*.ts', { cwd: APP }).map((file) => join(APP, file));
  return modules.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g)].map(
      ([, thread = '']) => join(dirname(file), thread),
    ),
  );
}
