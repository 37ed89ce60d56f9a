import { spawnSync } from 'node:child_process';
import { schemathesisCommand, schemathesisFolder } from './schemathesis-program.ts';

const HELP = `npm run fuzz -- [URL] [options of schemathesis run]: tests gateway/openapi.json with Schemathesis for long.

  RATE_LIMITS=off NODE_ENV=development LOGIN_LOCATION_CHECK=off npm start     the stack to test, in another terminal
  npm run fuzz -- --max-examples 100 --seed 7                                 it prints operations, cases and failures

URL is the stack's, http://127.0.0.1:8080 unless another is named. It creates accounts and deletes much: use a new DATA_DIR.
`;

async function main(given: readonly string[]): Promise<number> {
  if (given.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const isUrl = given[0]?.startsWith('http') === true;
  const url = isUrl ? (given[0] ?? '') : 'http://127.0.0.1:8080';
  const folder = await schemathesisFolder();
  if (folder === undefined) return 1;
  const options = given.slice(isUrl ? 1 : 0);
  const { args, cwd, env } = schemathesisCommand(folder, {
    url: url.replace(/\/$/, ''),
    coverage_share: 1,
    options,
  });
  return spawnSync('python3', args, { cwd, env, stdio: 'inherit' }).status ?? 1;
}

process.exitCode = await main(process.argv.slice(2));
