import { resolve } from 'node:path';
import { buildPackages, buildPythonClient } from './pack/build-python-client.ts';

const HELP = `npm run pack:python [-- FOLDER]: builds the wheel of the Python client from gateway/openapi.json, in FOLDER (default:
.data/packages). It needs python3 (3.11 to 3.14) with pip.
`;

async function main([folder = '.data/packages', ...others]: string[]): Promise<number> {
  if (folder.startsWith('-') || others.length > 0) {
    process.stdout.write(HELP);
    return folder === '--help' || folder === '-h' ? 0 : 64;
  }
  const packages = await buildPackages();
  if (packages === undefined) return 1;
  const { wheel, warnings } = await buildPythonClient(packages, resolve(folder));
  if (warnings !== '') process.stderr.write(`${warnings}\n`);
  process.stdout.write(`${wheel}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
