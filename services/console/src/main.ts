import { runMain } from '@gatehouse/kit/lifecycle';
import { readConfig } from './config.ts';
import { migrateDatabase, start } from './start.ts';

await runMain('console', {
  run: () => start(readConfig(process.env)),
  migrate: () => migrateDatabase(readConfig(process.env)),
});
