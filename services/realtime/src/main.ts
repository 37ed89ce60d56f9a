import { runMain } from '@gatehouse/kit/lifecycle';
import { readConfig } from './config.ts';
import { start } from './start.ts';

await runMain('realtime', { run: () => start(readConfig(process.env)) });
