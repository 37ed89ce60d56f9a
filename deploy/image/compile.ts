import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// A process by itself: loads what the image's process loads, and ends. Node writes what it compiled on the way to
// NODE_COMPILE_CACHE. The settings are refused, so nothing starts.
const APP = '/app';
const exit = process.exit;
process.env.LISTEN = 'nowhere';
process.env.PORT = 'nowhere';
process.argv.push('--help');
process.exit = () => {
  throw new Error('refused its settings');
};

for (const file of [join(APP, 'main.ts'), ...threads()]) await import(file).catch(() => undefined);
exit(0);

/** The modules that threads and processes of its own begin with. */
function threads(): string[] {
  const modules = globSync('{gateway,services/*}/src/**/*.ts', { cwd: APP }).map((file) => join(APP, file));
  return modules.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g)].map(
      ([, thread = '']) => join(dirname(file), thread),
    ),
  );
}
