import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

const SHOP = `domain: shop
descriptors:
  - {key: user, rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 20, name: slow}}
  - {key: plan, value: gold, rate_limit: {unit: second, requests_per_unit: 50, replaces: [{name: slow}], failure_policy: open}}
  - {key: free, rate_limit: {unlimited: true}}
`;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const checkConfig = (...args: string[]) => runCommand(['limits', 'check-config', ...args]);

test('prints the limits of valid files', async () => {
  const { code, stdout, stderr } = await checkConfig(folderOf({ 'shop.yaml': SHOP }));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    'valid: 1 file, 1 domain, 3 limits',
    '',
    'LIMIT           RATE',
    'shop.user       20 per 5 minutes  name slow',
    'shop.plan_gold  50 per second     without its store: open, replaces slow',
    'shop.free       unlimited',
    '',
  ]);
});

test('prints every problem with its file, line and column, and ends with 1', async () => {
  const folder = folderOf({ 'a.yaml': 'domain: a\ndescriptors:\n  - kye: x\n', 'b.yaml': "domain: 'b" });
  const { code, stdout } = await checkConfig(folder);
  expect(code).toBe(1);
  expect(stdout.replaceAll(`${folder}/`, '').split('\n')).toEqual([
    expect.stringMatching(/^a\.yaml:3:5: unknown key "kye": a descriptor has key, value, /),
    'a.yaml:3:5: key is required, and not empty',
    expect.stringMatching(/^b\.yaml:1:11: invalid YAML: Missing closing/),
    '3 problems: a service keeps its old limits, and does not start with these',
    '',
  ]);
  const json = JSON.parse((await checkConfig(folder, '--json')).stdout);
  expect(json).toMatchObject({
    valid: false,
    problems: [{ line: 3, column: 5 }, {}, { line: 1, column: 11 }],
  });
});

test('shows the limits of the descriptors of a request', async () => {
  const file = join(folderOf({ 'shop.yaml': SHOP }), 'shop.yaml');
  const both = await checkConfig(file, '--descriptor', 'user=7', '--descriptor', 'plan=gold');
  expect(both).toMatchObject({
    code: 0,
    stdout:
      'user=7: no limit, since another descriptor replaces shop.user, 20 per 5 minutes, counted by 7 (name slow)\n' +
      'plan=gold: shop.plan_gold, 50 per second (without its store: open, replaces slow)\n',
  });
  expect(await checkConfig(file, '--descriptor', 'user=7,more=1')).toMatchObject({
    code: 1,
    stdout: 'user=7,more=1: no limit\n',
  });
  const { stdout } = await checkConfig(file, '--descriptor', 'user=7', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    descriptor: 'user=7',
    limit: { path: 'shop.user', rate: { requests_per_unit: 20, window_seconds: 300 } },
    counted_by: ['7'],
    replaced: false,
  });
});

test('asks for the domain where there are several', async () => {
  const folder = folderOf({ 'a.yaml': 'domain: a', 'b.yaml': 'domain: b' });
  const { code, stderr } = await checkConfig(folder, '--descriptor', 'k=v');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Name one of the domains with --domain: a, b')]);
  expect(await checkConfig(folder, '--domain', 'b', '--descriptor', 'k=v')).toMatchObject({
    code: 1,
    stdout: 'k=v: no limit\n',
  });
  expect(await checkConfig(folder, '--domain', 'c', '--descriptor', 'k=v')).toMatchObject({ code: 2 });
  expect(await checkConfig(folder, '--descriptor', '=v')).toMatchObject({ code: 2 });
});

test('a path that cannot be read is a problem', async () => {
  expect(await checkConfig('/no/such')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('/no/such:1:1: the path cannot be read'),
  });
});
