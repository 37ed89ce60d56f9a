import { readFileSync } from 'node:fs';

/** The version of the release: every package of the repository has the same. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
