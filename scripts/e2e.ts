import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Composed, startComposed } from './e2e/composed.ts';
import { NoEngine } from './e2e/engine.ts';
import { runVitest } from './testing/run-vitest.ts';
import { countTests, totalLine } from './testing/total.ts';

const HELP = `npm run e2e [-- --compose] [WORD...]: runs the stories of test-e2e, those that need HTTP only.

  npm run e2e                       against stacks on this machine, each for one file at a time, as npm test does
  npm run e2e -- --compose          all against the composed stack (compose.yaml), through Envoy
  npm run e2e -- --compose --small  all against two processes of all services (compose.small.yaml), through Envoy
  npm run e2e -- --compose webhook  only the files with "webhook" in their path; with several words, any of them

--compose builds the images, starts the stack under a unique name with two replicas of each of our services, runs
the stories one file after the other, and removes everything, also when it is interrupted: containers, networks,
volumes. It needs a Docker engine and docker compose (docker-compose 1.29 will do), and has to run as root or as user
1000, because auth writes mail as that user.

  --small     with --compose: as many processes of all services as --replicas says (compose.small.yaml)
  --keep      leaves the composed stack running, and says how to reach and how to remove it
  --no-build  uses the existing images
  --replicas N  of each of our services (2)
  --help      this text

The containers' logs go to artifacts/e2e/. Exit codes: 0 passed; 1 a test failed or the stack did not start; 2 wrong options;
3 no engine.
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE_ERROR = 2;
const NO_ENGINE = 3;
const say = (line: string) => process.stderr.write(`e2e: ${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!/^[1-9]$/.test(values.replicas)) throw new UsageError('--replicas is a whole number from 1 to 9');
  if (values.small && !values.compose) throw new UsageError('--small is an option of --compose');
  const files = storyFiles(positionals);
  if (!values.compose) return await runStories(files, {});
  const interrupted = abortOnSignal();
  const composed = await startComposed({
    say,
    build: !values['no-build'],
    replicas: Number(values.replicas),
    small: values.small,
    interrupted,
  });
  try {
    interrupted.throwIfAborted();
    return await runStories(files, composed.env);
  } finally {
    await end(composed, values.keep && !interrupted.aborted);
  }
}

class UsageError extends Error {}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        compose: { type: 'boolean', default: false },
        small: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        'no-build': { type: 'boolean', default: false },
        replicas: { type: 'string', default: '2' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** From here on a signal aborts the run, so that containers and folders are removed before it exits. */
function abortOnSignal(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => interrupt.abort(new Error(`${name}, ending`)));
  return interrupt.signal;
}

/**
 * The files that call `useAnyStack`, and so run against any stack. Given words, only files with one of them in
 * their path.
 */
function storyFiles(words: readonly string[]): string[] {
  const files = globSync('test-e2e/**/*.test.ts', { cwd: ROOT })
    .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('useAnyStack('))
    .sort();
  const selected = files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  if (selected.length === 0)
    throw new UsageError(`no story's path holds ${words.join(' or ')}; there are:\n  ${files.join('\n  ')}`);
  return selected;
}

async function runStories(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { code, report } = await runVitest(files, env);
  const total = countTests(report, code);
  if (total.remark !== undefined) process.stdout.write(`\n${total.remark}\n`);
  process.stdout.write(`\n${totalLine(total)}\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

async function end(composed: Composed, keep: boolean): Promise<void> {
  try {
    await composed.saveLogs(join(ROOT, 'artifacts/e2e'));
  } finally {
    if (keep) say(`left running at ${composed.url}; to remove it: ${composed.removal}`);
    else await composed.remove();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? USAGE_ERROR : error instanceof NoEngine ? NO_ENGINE : 1;
}
