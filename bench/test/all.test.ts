import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { all } from '../all/all.ts';
import { ArgumentError } from '../arguments.ts';

const PAGE = new URL('../../docs/performance.md', import.meta.url);

describe('all --from', () => {
  let folder = '';
  const before = readFileSync(PAGE, 'utf8');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function expectRefused(message: string): Promise<void> {
    const run = all({ name: 'all', from: folder, rounds: undefined, minutes: 1, only: undefined });
    const error = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ArgumentError);
    expect(String(error)).toContain(message);
    expect(readFileSync(PAGE, 'utf8')).toBe(before);
  }

  it('refuses a folder without figures, and leaves the page', async () => {
    writeFileSync(join(folder, 'reads.failed.txt'), 'no disk');
    await expectRefused('has no figures, such as reads.json');
  });

  it('refuses figures of another form, and leaves the page', async () => {
    writeFileSync(join(folder, 'limits.json'), JSON.stringify({ schema_version: 99 }));
    await expectRefused('limits.json has schema_version 99, not 1; measure it again');
  });
});
