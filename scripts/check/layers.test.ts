import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderCycles } from './folder-cycles.ts';
import { layerProblems } from './layers.ts';

/** Writes two files, the first of which imports the second, and returns the problems. */
async function check(from: string, to: string, statement = (path: string) => `import '${path}';`) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const up = '../'.repeat(from.split('/').length - 1);
  const files = { [to]: 'export type T = 1;\n', [from]: statement(`./${up}${to}`) };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return await layerProblems(root);
}

const BY_NAME = 'a package is imported by its name, so only what it exports';

test.each([
  ['kit', 'kit/src/a.ts', 'kit/dev-env/src/b.ts'],
  ['kit', 'kit/src/a.ts', 'proto/gen/gatehouse/chat/v1/chat.ts'],
  ['kit/certificates', 'kit/certificates/src/a.ts', 'kit/dev-env/src/b.ts'],
  ['kit/dev-env', 'kit/dev-env/src/a.ts', 'services/chat/client/src/b.ts'],
  ['kit/test', 'kit/test/a.test.ts', 'scripts/b.ts'],
  ['proto', 'proto/test/a.test.ts', 'kit/src/b.ts'],
  ['clients', 'services/chat/client/src/a.ts', 'services/chat/src/b.ts'],
  ['services', 'services/chat/src/a.ts', 'services/auth/src/b.ts'],
  ['services', 'services/chat/src/a.ts', 'kit/src/rpc/stream/b.ts'],
  ['services', 'services/chat/src/a.ts', 'kit/dev-env/src/b.ts'],
  ['services', 'gateway/src/a.ts', 'services/auth/src/b.ts'],
  ['tests of services', 'services/chat/test/a.test.ts', 'services/auth/src/b.ts'],
  ['tests of services', 'gateway/test/a.test.ts', 'scripts/b.ts'],
  ['web', 'services/web/src/a.tsx', 'kit/src/b.ts'],
  ['pages of the console', 'services/console/web/a.tsx', 'services/console/src/b.ts'],
  ['pages of the console', 'services/console/web/a.tsx', 'services/web/src/guilds/b.tsx'],
  ['scripts', 'scripts/a.ts', 'test-e2e/b.ts'],
  [BY_NAME, 'test-e2e/a.ts', 'services/auth/src/b.ts'],
  [BY_NAME, 'scripts/a.ts', 'kit/src/b.ts'],
  [
    'an RPC file imports no other: what they share is a rule, or in store/',
    'services/a/src/rpc/a.ts',
    'services/a/src/rpc/b.ts',
  ],
  [
    'an RPC file imports no other: what they share is a rule, or in store/',
    'services/a/src/rpc/guilds/a.ts',
    'services/a/src/rpc/guilds/b.ts',
  ],
  [
    'an RPC file imports no other: what they share is a rule, or in store/',
    'services/a/src/rpc/guilds/index.ts',
    'services/a/src/rpc/roles/b.ts',
  ],
  ['SQL is in store/', 'services/a/src/rpc/a.ts', 'services/a/src/generated/b.ts'],
  ['SQL is in store/', 'services/a/src/rpc/guilds/a.ts', 'services/a/src/generated/b.ts'],
  ['store/ imports no rules', 'services/a/src/store/a.ts', 'services/a/src/rules/b.ts'],
  ['store/ imports no rules', 'services/a/src/store/guilds/a.ts', 'services/a/src/rules/b.ts'],
  ['the web app takes only types of the contracts', 'services/web/src/a.ts', 'proto/gen/b.ts'],
])('%s: %s may not import %s', async (rule, from, to) => {
  expect(await check(from, to)).toContain(`${rule}: ${from} → ${to}`);
});

test('type-only and dynamic imports count as imports', async () => {
  const [from, to] = ['services/chat/src/a.ts', 'services/auth/src/b.ts'];
  const problem = [`${BY_NAME}: ${from} → ${to}`, `services: ${from} → ${to}`];
  expect(await check(from, to, (path) => `import type { T } from '${path}';`)).toEqual(problem);
  expect(await check(from, to, (path) => `export type { T } from '${path}';`)).toEqual(problem);
  expect(await check(from, to, (path) => `export const later = () => import('${path}');`)).toEqual(problem);
});

test('a service may import its own rules, and its rules the store', async () => {
  expect(await check('services/a/src/rpc/a.ts', 'services/a/src/rules/b.ts')).toEqual([]);
  expect(await check('services/a/src/rules/a.ts', 'services/a/src/store/b.ts')).toEqual([]);
});

const imports = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [one, other] = pair.split(' ');
    return { from: `kit/src/${one}/a.ts`, to: `kit/src/${other}/b.ts` };
  });

test('folders in a cycle are reported, and no others', () => {
  expect(folderCycles(imports('one two', 'two three', 'three one', 'zero one', 'three four'))).toEqual(
    imports('one two', 'two three', 'three one'),
  );
});

test('one-way imports between folders, files beside folders, and other packages are no cycle', () => {
  const others = [
    { from: 'kit/src/one/a.ts', to: 'kit/src/b.ts' },
    { from: 'kit/src/b.ts', to: 'kit/src/one/a.ts' },
    { from: 'kit/src/two/a.ts', to: 'gateway/src/one/a.ts' },
  ];
  expect(folderCycles([...imports('one two', 'one three', 'two three'), ...others])).toEqual([]);
});
