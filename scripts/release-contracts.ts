import { fileURLToPath } from 'node:url';
import { releaseContracts } from './check/released-contracts.ts';

const HELP = `npm run release:contracts: records the contracts as they stand as those of a release.

Writes proto/released/contracts.binpb, which \`npm run check\` compares with from then on. Commit it with the release.
`;

function main(args: readonly string[]): number {
  if (args.length > 0) {
    process.stdout.write(HELP);
    return args[0] === '--help' || args[0] === '-h' ? 0 : 64;
  }
  try {
    const { status, stderr } = releaseContracts(fileURLToPath(new URL('../proto', import.meta.url)));
    process.stderr.write(stderr);
    return status ?? 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
