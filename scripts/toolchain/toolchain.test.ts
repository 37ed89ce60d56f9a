import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const TOOLCHAIN = new URL('./', import.meta.url);
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolchain-'));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

/** Runs JavaScript with a module of the toolchain as `it`. */
function withModule(module: string, code: string, env: NodeJS.ProcessEnv = {}) {
  const source = `import * as it from ${JSON.stringify(new URL(module, TOOLCHAIN).href)}; const root = ${JSON.stringify(root)}; ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output, errors }));
  return { child, ended, output: () => output, errors: () => errors };
}

/** A project with one workspace, whose installation needs no registry. */
async function project(version: string, more: object = {}): Promise<void> {
  const write = (path: string, content: object) => writeFile(join(root, path), JSON.stringify(content));
  await mkdir(join(root, 'one'), { recursive: true });
  await write('one/package.json', { name: 'one', version });
  await write('package.json', { name: 'all', workspaces: ['one'] });
  const packages = {
    '': { name: 'all', workspaces: ['one'] },
    'node_modules/one': { resolved: 'one', link: true },
    one: { version },
    ...more,
  };
  await write('package-lock.json', { name: 'all', lockfileVersion: 3, requires: true, packages });
}

const install = () => withModule('packages.mjs', 'await it.installPackages(root, process.env)').ended;
const stamp = () => rm(join(root, 'node_modules/.gatehouse-packages'));

test('installs the packages if they are missing or outdated, and only then', async () => {
  await project('1.0.0');
  expect(await install()).toMatchObject({
    code: 0,
    errors: expect.stringContaining('installing the packages'),
  });
  expect(await install()).toMatchObject({ code: 0, errors: '' });
  await project('1.0.1');
  expect(await install()).toMatchObject({
    code: 0,
    errors: expect.stringContaining('installing the packages'),
  });
  expect(await install()).toMatchObject({ code: 0, errors: '' });
});

test('accepts an install by hand, if only packages for other platforms are missing', async () => {
  await project('1.0.0');
  await install();
  await stamp();
  await project('1.0.0', { 'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'] } });
  expect(await install()).toMatchObject({ code: 0, errors: '' });
  await stamp();
  await project('1.0.2');
  expect(await install()).toMatchObject({ errors: expect.stringContaining('installing the packages') });
});

test('what tools print is no part of the output, unless it is asked for', async () => {
  const code = (options: string) =>
    `console.log(await it.execute(process.execPath, ['-e', 'console.log("tool")'], ${options}))`;
  expect(await withModule('execute.mjs', code('{}')).ended).toMatchObject({ output: '\n', errors: 'tool\n' });
  const asked = await withModule('execute.mjs', code('{ capture: true }')).ended;
  expect(asked).toMatchObject({ output: 'tool\n\n', errors: '' });
});

test('what a quiet tool prints is shown only if it fails, on standard error', async () => {
  const code = (end: number) =>
    `await it.execute(process.execPath, ['-e', 'console.log("tool"); console.error("why"); process.exit(${end})'], { quiet: true })`;
  expect(await withModule('execute.mjs', code(0)).ended).toMatchObject({ code: 0, output: '', errors: '' });
  const failed = await withModule('execute.mjs', code(3)).ended;
  expect(failed).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('tool\nwhy\n') });
});

test('of two starts at once, one prepares and the other waits', async () => {
  const release = join(root, 'release');
  const code = (name: string) =>
    `const { existsSync } = await import('node:fs');
     await it.withLock(root, async () => {
       console.log('${name} in');
       while (!existsSync(${JSON.stringify(release)})) await new Promise((done) => setTimeout(done, 20));
       console.log('${name} out');
     })`;
  const first = withModule('with-lock.mjs', code('a'));
  await expect.poll(first.output).toBe('a in\n');
  const second = withModule('with-lock.mjs', code('b'));
  await expect.poll(second.errors).toContain('waiting for another start');
  expect(second.output()).toBe('');
  await writeFile(release, '');
  expect((await first.ended).output).toBe('a in\na out\n');
  expect((await second.ended).output).toBe('b in\nb out\n');
});

test('the lock of a killed holder does not count', async () => {
  const code =
    "await it.withLock(root, async () => { console.log('in'); await new Promise((done) => setTimeout(done, 60_000)); })";
  const first = withModule('with-lock.mjs', code);
  await expect.poll(first.output).toBe('in\n');
  first.child.kill('SIGKILL');
  await first.ended;
  expect((await stat(join(root, '.toolchain/lock'))).isFile()).toBe(true);
  expect(
    await withModule('with-lock.mjs', 'await it.withLock(root, async () => undefined)').ended,
  ).toMatchObject({
    code: 0,
    errors: '',
  });
});

test('a lock without a name, left by a full disk, does not count', async () => {
  const lock = join(root, '.toolchain/lock');
  await mkdir(join(root, '.toolchain'), { recursive: true });
  await writeFile(lock, '');
  await utimes(lock, Date.now() / 1_000 - 60, Date.now() / 1_000 - 60);
  expect(
    await withModule('with-lock.mjs', 'await it.withLock(root, async () => undefined)').ended,
  ).toMatchObject({ code: 0, errors: '' });
});

const CONTINUE_AS = "it.continueAs(process.execPath, ['-e', process.env.SCRIPT], process.env)";

test.each([
  ['replacing itself', ''],
  ['as a parent, if Node cannot replace itself', 'delete process.execve; '],
])('forwards arguments, exit code and signals: %s', async (_, before) => {
  const SCRIPT =
    "process.on('SIGTERM', () => process.exit(7)); setInterval(() => 0, 1000); console.log('here')";
  const run = withModule('continue-as.mjs', before + CONTINUE_AS, { SCRIPT });
  await expect.poll(run.output).toBe('here\n');
  run.child.kill('SIGTERM');
  expect(await run.ended).toMatchObject({ code: 7 });

  const killed = withModule('continue-as.mjs', before + CONTINUE_AS, {
    SCRIPT: "process.kill(process.pid, 'SIGKILL')",
  });
  expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
});

test('tests run on the pinned Node, and CI and types have its major version', async () => {
  const source = await readFile(fileURLToPath(new URL('node.mjs', TOOLCHAIN)), 'utf8');
  const major = /const VERSION = '(\d+)\./.exec(source)?.[1];
  expect(major).toBe('24');
  const { engines, devDependencies } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const wanted = /const WANTED = '([\d.]+)';/.exec(source)?.[1];
  expect(engines.node).toBe(`>=${wanted}`);
  expect(wanted).toMatch(new RegExp(`^${major}\\.`));
  expect(devDependencies['@types/node']).toMatch(new RegExp(`^${major}\\.`));
});
