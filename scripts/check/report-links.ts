import { fileURLToPath } from 'node:url';
import { brokenLinks, filesOf } from './links.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const broken = brokenLinks(ROOT, filesOf(ROOT));
for (const line of broken) console.log(line);
process.exitCode = broken.length === 0 ? 0 : 1;
