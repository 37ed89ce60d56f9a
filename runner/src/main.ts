import { runMain } from '@gatehouse/kit/lifecycle';
import { migrateDatabases } from './migrate-databases.ts';
import { startRunner } from './start-runner.ts';

await runMain('runner', {
  run: () => startRunner(process.env),
  migrate: () => migrateDatabases(process.env),
});
