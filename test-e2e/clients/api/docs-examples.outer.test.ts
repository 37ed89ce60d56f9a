import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REFERENCE = fileURLToPath(new URL('../../../services/web/dist/docs/reference/', import.meta.url));
const goIsMissing = spawnSync('go', ['version']).status !== 0;
if (goIsMissing) process.stderr.write('SKIPPED: the Go examples of /docs. Put go (1.21 or later) on PATH\n');

/** The example of each operation's page in a language, by operation. */
async function examplesIn(language: string): Promise<Map<string, string>> {
  const pages = (await readdir(REFERENCE)).filter((name) => name.endsWith('.html'));
  const examples = await Promise.all(
    pages.map(async (name) => {
      const page = await readFile(join(REFERENCE, name), 'utf8');
      const begin = `data-language="${language}"><pre><code>`;
      const html = page.slice(page.indexOf(begin) + begin.length).split('</code>')[0] ?? '';
      return [name.slice(0, -'.html'.length), textOf(html)] as const;
    }),
  );
  expect(examples.length).toBeGreaterThan(100);
  return new Map(examples);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" };

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

describe('the examples of every operation in the reference', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-docs-examples-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are commands that a shell can parse', async () => {
    const commands = [...(await examplesIn('curl')).values()];
    expect(commands.filter((command) => !command.startsWith('curl '))).toEqual([]);
    const file = join(folder, 'commands.sh');
    await writeFile(file, commands.join('\n'));
    expect((await execFileAsync('bash', ['-n', file])).stderr).toBe('');
  });

  it.skipIf(goIsMissing)('are Go programs that go vet and gofmt accept', async () => {
    for (const [operation, program] of await examplesIn('go')) {
      await mkdir(join(folder, operation));
      await writeFile(join(folder, operation, 'main.go'), `${program}\n`);
    }
    await writeFile(join(folder, 'go.mod'), 'module examples\n\ngo 1.21\n');
    const options = { cwd: folder, env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '' } };
    const vet = await execFileAsync('go', ['vet', './...'], options);
    const gofmt = await execFileAsync('gofmt', ['-l', '.'], options);
    expect([vet.stderr, gofmt.stdout]).toEqual(['', '']);
  });
});
