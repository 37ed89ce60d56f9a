import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@gatehouse/kit/log';
import { openCertificates } from '@gatehouse/kit/rpc';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { PEERS } from '@gatehouse/proto/peers';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from './support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const certificates = (...args: string[]) => runCommand(['certificates', ...args]);

const read = (dir: string, file: string) => readFileSync(join(dir, file), 'utf8');
const daysLeft = (pem: string) =>
  Math.round((new X509Certificate(pem).validToDate.getTime() - Date.now()) / 86_400_000);

test('makes an authority and a certificate for each process, with keys for this user alone', async () => {
  const dir = join(folder, 'new');
  expect(await certificates(dir)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('a new authority'),
  });
  const files = PEERS.flatMap((name) => [`${name}.pem`, `${name}-key.pem`]);
  expect(readdirSync(dir).toSorted()).toEqual([...files, 'ca.pem', 'ca-key.pem'].toSorted());
  for (const file of readdirSync(dir).filter((name) => name.endsWith('-key.pem')))
    expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  for (const name of PEERS) {
    openCertificates({ files: certificateFilesIn(dir, name), name, log: silentLogger }).close();
    const certificate = new X509Certificate(read(dir, `${name}.pem`));
    expect(certificate.checkIssued(new X509Certificate(read(dir, 'ca.pem')))).toBe(true);
    expect(certificate.subjectAltName).toBe(`DNS:${name}.gatehouse.internal`);
    expect(daysLeft(read(dir, `${name}.pem`))).toBe(90);
  }
});

test('issues new ones by the existing authority, which it does not change', async () => {
  const dir = join(folder, 'again');
  await certificates(dir);
  const [ca, key, chat] = ['ca.pem', 'ca-key.pem', 'chat.pem'].map((file) => read(dir, file));
  expect(await certificates(dir, '--days', '7')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the existing authority'),
  });
  expect([read(dir, 'ca.pem'), read(dir, 'ca-key.pem')]).toEqual([ca, key]);
  expect(read(dir, 'chat.pem')).not.toBe(chat);
  expect(daysLeft(read(dir, 'chat.pem'))).toBe(7);
});

test('does not replace an authority whose key is missing', async () => {
  const dir = join(folder, 'half');
  await certificates(dir);
  const ca = read(dir, 'ca.pem');
  rmSync(join(dir, 'ca-key.pem'));
  expect(await certificates(dir)).toMatchObject({ code: 1, stderr: expect.stringContaining('other half') });
  expect(read(dir, 'ca.pem')).toBe(ca);
});

test('--json prints one object', async () => {
  const dir = join(folder, 'json');
  const { stdout } = await certificates(dir, '--json');
  expect(JSON.parse(stdout)).toEqual({ folder: dir, names: PEERS, valid_days: 90, new_authority: true });
});

test.each([
  ['no folder', [], "missing required argument 'folder'"],
  ['two folders', ['a', 'b'], 'too many arguments'],
  ['no day', ['a', '--days', '0'], 'It must be a whole number from 1 to 825.'],
  ['words for days', ['a', '--days', 'many'], 'It must be a whole number'],
  ['an unknown option', ['a', '--force'], '--force'],
])('%s ends with code 2, on standard error', async (_, args, text) => {
  const { code, stdout, stderr } = await certificates(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});
