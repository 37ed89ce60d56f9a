import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { releaseContracts } from './contracts.ts';
import { OPENAPI, RELEASED_OPENAPI } from './openapi-breaks.ts';
import { releasesWithData, writeReleasedData } from './released-data.ts';
import { applyChangesets } from './versions.ts';

const HELP = `npm run release: writes the files of a release. Commit them, and tag the commit.

  - the version of all packages and the entry of CHANGELOG.md, from the changesets in .changeset/
  - proto/released/contracts.binpb: the contracts, which \`npm run check\` compares with from then on
  - proto/released/openapi.json: the description of the API, which a test compares with from then on
  - release/data/VERSION/: a dump of each database with sample data, which every later version must start on
`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function main(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    process.stdout.write(HELP);
    return args[0] === '--help' || args[0] === '-h' ? 0 : 64;
  }
  const version = applyChangesets(ROOT);
  if (releasesWithData().includes(version)) {
    process.stderr.write(`${version} is released already. Add a changeset first: npx changeset\n`);
    return 1;
  }
  const { status, stderr } = releaseContracts(`${ROOT}proto`);
  process.stderr.write(stderr);
  if (status !== 0) return status ?? 1;
  // The description of the API has the version.
  const generated = spawnSync('node', ['scripts/generate.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (generated.status !== 0) return generated.status ?? 1;
  copyFileSync(OPENAPI, RELEASED_OPENAPI);
  await writeReleasedData(version, randomBytes(32).toString('base64url'));
  process.stdout.write(
    `${version}: commit package.json files, CHANGELOG.md, proto/released and release/data\n`,
  );
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
