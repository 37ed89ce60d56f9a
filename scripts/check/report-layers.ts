import { fileURLToPath } from 'node:url';
import { layerProblems } from './layers.ts';

const problems = await layerProblems(fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, ''));
for (const line of problems) console.log(line);
process.exitCode = problems.length === 0 ? 0 : 1;
