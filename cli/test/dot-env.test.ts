import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadDotEnv } from '../src/dot-env.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dot-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

function load(text: string | Uint8Array, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  writeFileSync(join(folder, '.env'), text);
  loadDotEnv(env, folder);
  return env;
}

test('variables of the environment take precedence, even empty ones', () => {
  expect(load('A=1\nB=2\nC=3\n', { A: 'mine', B: '' })).toEqual({ A: 'mine', B: '', C: '3' });
});

test('without a file nothing is added', () => {
  const env = {};
  loadDotEnv(env, join(folder, 'nowhere'));
  expect(env).toEqual({});
});

test.each([
  ['comments and blank lines', '# A=1\n\n  # B\nA=2 # why\n', { A: '2' }],
  ['lines of Windows, and its byte order mark', '\ufeffA=1\r\nB=2\r\n', { A: '1', B: '2' }],
  [
    'quotation marks, over several lines too',
    'A="1\n2=3\nfour"\nB=\'x # y\'\n',
    { A: '1\n2=3\nfour', B: 'x # y' },
  ],
  ['a shell’s export', 'export A=1', { A: '1' }],
  ['nothing', '', {}],
])('%s are read', (_, text, expected) => {
  expect(load(text)).toEqual(expected);
});

test.each([
  ['PORT 8080', 'line 1 is not NAME=value'],
  ['A=1\nhunter2\n', 'line 2 is not NAME=value'],
  ['1A=2', 'line 1 is not NAME=value'],
  ['A="hunter2\nB=1', 'the quotation mark of line 1 is not closed'],
  [new Uint8Array([0x41, 0x3d, 0xff]), 'it is not UTF-8'],
])('the error for a file with %j names the problem, and quotes nothing else', (text, problem) => {
  expect(() => load(text)).toThrow(problem);
  expect(() => load(text)).not.toThrow('hunter2');
});

test('a folder of this name cannot be read', () => {
  const inner = join(folder, 'inner');
  mkdirSync(join(inner, '.env'), { recursive: true });
  expect(() => loadDotEnv({}, inner)).toThrow(/\.env cannot be read: EISDIR/);
});
