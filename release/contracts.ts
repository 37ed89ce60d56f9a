import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUF = fileURLToPath(new URL('../node_modules/.bin/buf', import.meta.url));
/** The contracts of the last release, as buf's image: all .proto files in one, without their comments. */
const RELEASED = 'released/contracts.binpb';

/**
 * Writes the image of the contracts as they stand, which the script `breaking` of proto/package.json compares with.
 * Refuses while buf.yaml accepts breaks: the release contains them, and accepting them further would hide later ones.
 */
export function releaseContracts(proto: string): SpawnSyncReturns<string> {
  if (acceptsBreaks(readFileSync(join(proto, 'buf.yaml'), 'utf8'))) {
    throw new Error(
      'proto/buf.yaml lists accepted breaks (ignore_only); remove them, as the release will contain them',
    );
  }
  mkdirSync(dirname(join(proto, RELEASED)), { recursive: true });
  return spawnSync(BUF, ['build', '--exclude-source-info', '--output', RELEASED], {
    cwd: proto,
    encoding: 'utf8',
  });
}

function acceptsBreaks(config: string): boolean {
  const [, breaking = ''] = config.split(/^breaking:/m);
  return /^ +ignore_only:/m.test(breaking);
}
