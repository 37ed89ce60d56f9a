import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { afterAll, describe, expect, it, test } from 'vitest';

// Checks the images without an engine: the tests assemble the same contents as the Dockerfile.

const ASSEMBLE = fileURLToPath(new URL('../image/assemble.ts', import.meta.url));
const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MOST_MB = 80;
const CONFIG_REFUSED = 78;
/** Packages of tests, generators and other workspaces. */
const NOT_INSIDE = [
  'vitest',
  'typescript',
  'prisma',
  'turbo',
  'testcontainers',
  '@gatehouse/dev-env',
  '@types/pg',
];

describe.each([...SERVICE_NAMES, 'runner', 'operator'])('the image of %s', (name) => {
  const image = join(folder, name);

  it('has all files that it needs, and refuses wrong settings as in a clone', async () => {
    expect(await run([ASSEMBLE, name, image])).toMatchObject({ code: 0 });
    const { code, stderr } = await run(['main.ts', ...(name === 'operator' ? ['nonsense'] : [])], image);
    expect({ code, stderr }).toEqual(
      name === 'operator'
        ? { code: 2, stderr: expect.stringContaining("unknown command 'nonsense'") }
        : { code: CONFIG_REFUSED, stderr: expect.stringMatching(/(?:LISTEN|PORT) must be/) },
    );
  });

  it('has only files that it needs, and adds less than 80 MB to its base', () => {
    const found = readdirSync(image, { recursive: true, encoding: 'utf8' });
    const files = found.filter((file) => !file.startsWith('node_modules/@gatehouse/')); // links within the image
    const packages = NOT_INSIDE.filter((one) => existsSync(join(image, 'node_modules', one, 'index.js')));
    expect(packages).toEqual([]);
    expect(
      files.filter((file) =>
        /\.test\.ts$|(?:^|\/)node_modules\/.*\.ts$|\.map$|node_modules\/\.bin\//.test(file),
      ),
    ).toEqual([]);
    const bytes = files.map((file) => lstatSync(join(image, file)).size).reduce((sum, size) => sum + size, 0);
    expect(bytes / 1e6).toBeLessThan(MOST_MB);
  });
});

test.each(['gateway', 'runner'])('the image of %s has the documents that the edge serves', (name) => {
  const files = readdirSync(join(folder, name, 'gateway'));
  expect(files).toEqual(expect.arrayContaining(['openapi.json', 'asyncapi.json']));
});

test.each(['auth', 'certificates', 'prepare', 'limits', 'rpc', 'webhooks'])(
  'operator %s works',
  async (command) => {
    const { code, stdout } = await run(['main.ts', command, '--help'], join(folder, 'operator'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(command) });
  },
);

test('every stage starts from the same base, and installs only packages of the lockfile', () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-bookworm-slim$/m);
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
  const names = stages.flatMap(([, , name]) => name ?? []);
  for (const [, base = ''] of stages) expect(['$' + '{NODE_IMAGE}', ...names]).toContain(base);
  expect(dockerfile).not.toMatch(/\b(?:apt(?:-get)?|apk|pip|curl|wget|npm (?:install|i)|ADD)\b/);
  expect(dockerfile).toMatch(/npm ci --ignore-scripts/);
});

test('the last stage has no npm, and runs as node with a health command', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toContain('rm -rf /usr/local/lib/node_modules');
  expect(last).toMatch(/^USER node$[\s\S]*^HEALTHCHECK [\s\S]*^ENTRYPOINT \["node"/m);
  expect(last).not.toMatch(/^COPY (?!--from=)/m);
  expect(last).not.toMatch(/--chown=node/);
});

/** Runs Node with an otherwise empty environment. */
function run(
  args: readonly string[],
  cwd?: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    LISTEN: 'nowhere',
    PORT: 'nowhere',
    SERVICES: SERVICE_NAMES.join(','), // for the runner
  };
  return new Promise((resolve) => {
    const flags = ['--disable-warning=ExperimentalWarning', ...args];
    execFile(process.execPath, flags, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
