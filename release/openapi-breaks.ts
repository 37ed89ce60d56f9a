import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The description of the API at the last release, without which nothing is compared. */
export const RELEASED_OPENAPI = fileURLToPath(new URL('../proto/released/openapi.json', import.meta.url));
export const OPENAPI = fileURLToPath(new URL('../gateway/openapi.json', import.meta.url));

/** oasdiff's rules whose level is not ours: UPGRADING.md says what stays compatible. */
const LEVELS: Readonly<Record<string, 'err' | 'info'>> = {
  // Status and error codes stay.
  'response-non-success-status-removed': 'err',
  'response-body-one-of-removed': 'err',
  'response-property-one-of-removed': 'err',
  // Programs compare with these values.
  'response-property-enum-value-removed': 'err',
  'response-mediatype-enum-value-removed': 'err',
  // A status may get further error codes. Clients go by the status when they do not know a code.
  'response-body-one-of-added': 'info',
  'response-body-wrapped-in-one-of-original-preserved': 'info',
};

/** What a document breaks of another: a line for each break with its place. Empty if it is compatible. */
export async function breaksOf(oasdiff: string, before: string, after: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'oasdiff-'));
  const levels = join(folder, 'levels.txt');
  try {
    const lines = Object.entries(LEVELS).map(([rule, level]) => `${rule} ${level}\n`);
    await writeFile(levels, lines.join(''));
    const options = ['--severity-levels', levels, '--format', 'singleline', '--color', 'never'];
    const { stdout } = await run(oasdiff, ['breaking', before, after, ...options], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\n').filter((line) => /^(?:error|warning) at /.test(line));
  } finally {
    await rm(folder, { recursive: true });
  }
}
