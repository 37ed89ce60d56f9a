import { resolve } from 'node:path';
import { packPackages } from './pack/pack-packages.ts';

const HELP = `npm run pack [-- FOLDER]: builds the packages that other repositories install, @gatehouse/sdk,
@gatehouse/proto and @gatehouse/ratelimit-client, into FOLDER (default: .data/packages). What an earlier run left there is
deleted first; a folder with anything else is refused.
`;

const [folder = '.data/packages', ...others] = process.argv.slice(2);
if (folder.startsWith('-') || others.length > 0) {
  process.stdout.write(HELP);
  process.exitCode = folder === '--help' || folder === '-h' ? 0 : 64;
} else {
  for (const file of await packPackages(resolve(folder))) process.stdout.write(`${file}\n`);
}
