import { fileURLToPath } from 'node:url';
import { importCircles } from './import-circles.ts';
import { filesOf } from './links.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const circles = importCircles(ROOT, filesOf(ROOT));
for (const line of circles) console.log(line);
process.exitCode = circles.length === 0 ? 0 : 1;
