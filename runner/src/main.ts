import { runMain } from '@gatehouse/kit/lifecycle';
import { startRunner } from './start-runner.ts';

await runMain('runner', { run: () => startRunner(process.env) });
