import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUF = fileURLToPath(new URL('../../node_modules/.bin/buf', import.meta.url));
/** The contracts of the last release, as buf's image: all .proto files in one, without their comments. */
const RELEASED = 'released/contracts.binpb';

/** Compares the contracts in a folder with the image of their last release there. */
export function compareWithRelease(proto: string): SpawnSyncReturns<string> {
  return buf(proto, 'breaking', '--against', RELEASED);
}

/**
 * Writes the image of the contracts as they stand. Refuses while buf.yaml accepts breaks: the release holds
 * them, and to go on accepting them would hide later ones.
 */
export function releaseContracts(proto: string): SpawnSyncReturns<string> {
  if (acceptsBreaks(readFileSync(join(proto, 'buf.yaml'), 'utf8'))) {
    throw new Error('proto/buf.yaml accepts breaks (ignore_only): remove them, as the release holds them');
  }
  mkdirSync(dirname(join(proto, RELEASED)), { recursive: true });
  return buf(proto, 'build', '--exclude-source-info', '--output', RELEASED);
}

function acceptsBreaks(config: string): boolean {
  const [, breaking = ''] = config.split(/^breaking:/m);
  return /^ +ignore_only:/m.test(breaking);
}

function buf(cwd: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(BUF, args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20 });
}
