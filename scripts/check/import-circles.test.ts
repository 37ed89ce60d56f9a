import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { importCircles } from './import-circles.ts';
import { filesOf } from './links.ts';

const CLONE = fileURLToPath(new URL('../..', import.meta.url));

/** Writes these files, and gives the circles in them. */
function check(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'circles-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return importCircles(root, Object.keys(files));
}

test('modules that import in one direction are in no circle', () => {
  const files = {
    'src/a.ts': "import { b } from './b.ts';\nimport { c } from './lower/c.ts';\n",
    'src/b.ts': "import { c } from './lower/c.ts';\nimport { join } from 'node:path';\n",
    'src/lower/c.ts': "const text = 'import ../a.ts';\nexport const c = `from './../a.ts'`;\n",
  };
  expect(check(files)).toEqual([]);
});

test.each([
  ['import', "import { a } from './a.ts';"],
  ['import of a type', "import type { A } from './a.ts';"],
  ['import over several lines', "import {\n  a,\n  type A,\n} from './a.ts';"],
  ['import for its effects', "import './a.ts';"],
  ['export from', "export { a } from './a.ts';"],
  ['export of all', "export * from './a.ts';"],
  ['import while running', "export const later = () => import('./a.ts');"],
  ['type of a module', "export type A = typeof import('./a.ts');"],
])('a circle is found that an %s closes', (_, text) => {
  const files = { 'src/a.ts': "import { b } from './b.ts';", 'src/b.ts': "import { c } from './c.ts';" };
  expect(check({ ...files, 'src/c.ts': `// c\n\n${text}\n` })).toEqual([
    'src/a.ts → src/b.ts → src/c.ts → src/a.ts',
  ]);
});

test('each circle is told, by a shortest one', () => {
  const imports = (...names: string[]) => names.map((name) => `import './${name}.ts';\n`).join('');
  const files = {
    'a.ts': imports('b'),
    'b.ts': imports('c', 'd'),
    'c.ts': imports('a', 'b'),
    'd.ts': imports('d'),
    'e.ts': imports('f'),
    'f.ts': imports('e', 'a'),
  };
  expect(check(files)).toEqual(['d.ts → d.ts', 'b.ts → c.ts → b.ts', 'e.ts → f.ts → e.ts']);
});

const kit = {
  'kit/package.json': '{ "name": "@gatehouse/kit", "exports": { "./*": "./src/*.ts" } }',
  'kit/tools/package.json': '{ "name": "@gatehouse/tools", "exports": { "./port": "./port.ts" } }',
};

test('a circle through packages is found, among modules and among packages', () => {
  const files = {
    ...kit,
    'kit/src/rpc/a.ts': "import { port } from '@gatehouse/tools/port';",
    'kit/tools/port.ts': "import { a } from '@gatehouse/kit/rpc/a';",
  };
  expect(check(files)).toEqual([
    'kit/src/rpc/a.ts → kit/tools/port.ts → kit/src/rpc/a.ts',
    '@gatehouse/kit → @gatehouse/tools → @gatehouse/kit',
  ]);
});

test('packages can be in a circle whose modules are in none; tests do not count', () => {
  const files = {
    ...kit,
    'kit/src/a.ts': '',
    'kit/test/a.test.ts': "import { port } from '@gatehouse/tools/port';",
    'kit/tools/port.ts': "import { a } from '@gatehouse/kit/a';",
  };
  expect(check(files)).toEqual([]);
  const use = { 'kit/src/b.ts': "import { port } from '@gatehouse/tools/port';" };
  expect(check({ ...files, ...use })).toEqual(['@gatehouse/kit → @gatehouse/tools → @gatehouse/kit']);
});

test('this clone has none', () => {
  const files = filesOf(CLONE);
  expect(files).toContain('kit/src/fault.ts');
  expect(importCircles(CLONE, files)).toEqual([]);
});
