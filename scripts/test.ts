import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideRedis } from './testing/provide-redis.ts';
import { countTests, totalLine } from './testing/total.ts';

const HELP = `npm test [-- <vitest arguments>]: runs the tests, against real PostgreSQL and Redis.

  npm test -- kit                 only the files whose path holds "kit"
  npm test -- -t 'leaky bucket'   only the tests whose name matches

PostgreSQL: GATEHOUSE_TEST_DATABASE_URL, else Docker, else the embedded one.
Redis: GATEHOUSE_TEST_REDIS_URL, else Docker, else redis-server or valkey-server on PATH, else apt's.

The last line is \`N passed, N failed\`, and \`, N skipped\` if any were.
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const lacking = await provideRedis();
  const { code, report } = await runVitest(
    args,
    lacking === undefined ? {} : { GATEHOUSE_TEST_REDIS_MISSING: '1' },
  );
  const total = countTests(report, code);
  if (lacking !== undefined) process.stdout.write(`\nSKIPPED: the tests of Redis. ${lacking}\n`);
  if (total.remark !== undefined) process.stdout.write(`\n${total.remark}\n`);
  process.stdout.write(`\n${totalLine(total)}\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** Shows vitest's own report while it runs; gives its machine-readable one, if it came to write it. */
async function runVitest(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; report?: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  try {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    // Vitest hears Ctrl-C too, and ends what it started; this process only waits.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    const [code] = await once(child, 'close');
    return { code: code ?? 1, ...(existsSync(file) && { report: readFileSync(file, 'utf8') }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(await main(process.argv.slice(2)));
