import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { setup } from '@gatehouse/dev-env/global-setup';
import { lendStacks, STACK_LENDER } from '@gatehouse/stack/lend/lend-stacks';
import type { Report } from './report.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A run's exit code, and its report if it wrote one. */
export interface VitestRun {
  readonly code: number;
  readonly report: Report | undefined;
}

/** Runs vitest with its own output, and returns its JSON report if it wrote one. */
export async function runVitest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const tearDown = await setup();
  const lender = await lendStacks();
  try {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env, [STACK_LENDER]: lender.url },
      stdio: 'inherit',
    });
    // Vitest gets Ctrl-C too and stops its processes; this process only waits.
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
