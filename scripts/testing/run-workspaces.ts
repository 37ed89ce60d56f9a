import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setup } from '@gatehouse/dev-env/global-setup';
import { lendStacks, STACK_LENDER } from '@gatehouse/stack/lend/lend-stacks';
import { mergeReports, type Report, reportFile } from './report.ts';
import type { VitestRun } from './run-vitest.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Root tasks, besides `test` of each workspace. */
const OF_ROOT = ['tools', 'stories'];
/** Parallel tasks, each with two workers. */
const AT_ONCE = 2;

/**
 * Runs the inner ring: a turbo task for each workspace, two at a time. A task that passed on the same files is not
 * repeated; its cached report counts. All tasks share a PostgreSQL server and the lent stacks.
 */
export async function runWorkspaces(env: NodeJS.ProcessEnv): Promise<VitestRun> {
  const files = reportFiles();
  for (const file of files) rmSync(file, { force: true });
  const tearDown = await setup();
  const lender = await lendStacks();
  try {
    const tasks = ['test', ...OF_ROOT.map((name) => `test:${name}`)];
    const how = [
      `--concurrency=${AT_ONCE}`,
      '--continue=always',
      '--output-logs=new-only',
      '--log-prefix=none',
    ];
    const turbo = spawn('turbo', ['run', ...tasks, ...how], {
      cwd: ROOT,
      env: { ...process.env, GATEHOUSE_TEST_WORKERS: '2', ...env, [STACK_LENDER]: lender.url },
      stdio: 'inherit',
    });
    // Vitest gets Ctrl-C too and stops its processes; this process only waits.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => turbo.kill('SIGTERM'));
    const [code] = await once(turbo, 'close');
    const reports = files.map(readReport);
    return { code: code ?? 1, report: reports.every(isThere) ? mergeReports(reports) : undefined };
  } finally {
    await lender.close();
    await tearDown();
  }
}

function reportFiles(): string[] {
  const workspaces = globSync(manifestOf('.').workspaces, { cwd: ROOT })
    .filter((folder) => manifestOf(folder).scripts?.test !== undefined)
    .map((folder) => reportFile(join(ROOT, folder)));
  return [...workspaces, ...OF_ROOT.map((name) => reportFile(ROOT, name))];
}

function manifestOf(folder: string): { workspaces: string[]; scripts?: { test?: string } } {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

function readReport(file: string): Report | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
