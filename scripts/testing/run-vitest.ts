import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { setup } from '@gatehouse/dev-env/global-setup';
import { lendSuites, SUITE_LENDER } from '@gatehouse/stack/lend/lend-suites';
import type { Report } from './report.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How a run ended, and its report, if it came to write one. */
export interface VitestRun {
  readonly code: number;
  readonly report: Report | undefined;
}

/** Shows vitest's own report while it runs; gives its machine-readable one, if it came to write it. */
export async function runVitest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const tearDown = await setup();
  const lender = await lendSuites();
  try {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env, [SUITE_LENDER]: lender.url },
      stdio: 'inherit',
    });
    // Vitest hears Ctrl-C too, and ends what it started; this process only waits.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    const [code] = await once(child, 'close');
    const haveEnded = await lender.close().then(() => true, complain);
    return {
      code: haveEnded ? (code ?? 1) : 1,
      report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined,
    };
  } finally {
    await tearDown();
    rmSync(folder, { recursive: true, force: true });
  }
}

function complain(error: unknown): false {
  process.stderr.write(`${inspect(error)}\n`);
  return false;
}
