import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releaseContracts } from '../contracts.ts';

const PROTO = fileURLToPath(new URL('../../proto', import.meta.url));
const BIN = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
const BREAKING: string = JSON.parse(readFileSync(join(PROTO, 'package.json'), 'utf8')).scripts.breaking;
let proto: string;

/** Runs the check in the copy, as turbo does. */
function compare() {
  const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}` };
  return spawnSync('sh', ['-c', BREAKING], { cwd: proto, env, encoding: 'utf8' });
}

beforeEach(async () => {
  proto = await mkdtemp(join(tmpdir(), 'contracts-'));
  const isContract = (path: string) => !['gen', 'node_modules'].includes(basename(path));
  cpSync(PROTO, proto, { recursive: true, filter: isContract });
  // These tests start without accepted breaks.
  const config = await readFile(join(proto, 'buf.yaml'), 'utf8');
  const [lint = '', breaking = ''] = config.split(/^(?=breaking:)/m);
  await writeFile(join(proto, 'buf.yaml'), lint + breaking.split('  ignore_only:')[0]);
  expect(releaseContracts(proto).status).toBe(0);
});

afterEach(async () => {
  await rm(proto, { recursive: true });
});

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(proto, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(proto, file), text.replace(from, to));
}

const CALLS = 'kit/v1/calls.proto';
const addField = (number: number) =>
  edit(CALLS, 'message Caller {', `message Caller {\n  string x = ${number};\n`);

test('an addition since the release is no break, nor is its removal', async () => {
  await addField(98);
  expect(compare()).toMatchObject({ status: 0, stdout: '' });
  await edit(CALLS, '  string x = 98;\n', ''); // it was never released
  expect(compare()).toMatchObject({ status: 0, stdout: '' });
});

test('removing or renaming a released field is a break', async () => {
  await addField(98);
  expect(releaseContracts(proto).status).toBe(0);
  await edit(CALLS, 'string x = 98', 'string y = 98');
  const { status, stdout } = compare();
  expect(status).not.toBe(0);
  expect(stdout).toContain('calls.proto');
});

test('a break that buf.yaml accepts passes until the next release contains it', async () => {
  await addField(98);
  expect(releaseContracts(proto).status).toBe(0);
  await edit(CALLS, 'string x = 98', 'string y = 98');
  const accepted = `  ignore_only:\n    FIELD_SAME_NAME: [${CALLS}]\n    FIELD_SAME_JSON_NAME: [${CALLS}]\n`;
  const config = await readFile(join(proto, 'buf.yaml'), 'utf8');
  await writeFile(join(proto, 'buf.yaml'), config + accepted);
  expect(compare()).toMatchObject({ status: 0, stdout: '' });
  expect(() => releaseContracts(proto)).toThrow('ignore_only');
  await writeFile(join(proto, 'buf.yaml'), config);
  expect(releaseContracts(proto).status).toBe(0);
  expect(compare()).toMatchObject({ status: 0, stdout: '' });
});

test('without a released image the check fails', async () => {
  await rm(join(proto, 'released'), { recursive: true });
  expect(compare().status).not.toBe(0);
});
