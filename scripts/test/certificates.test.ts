import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@gatehouse/kit/log';
import { openCertificates } from '@gatehouse/kit/rpc';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { PEERS } from '@gatehouse/proto/peers';
import { afterAll, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../certificates.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

function certificates(...args: string[]) {
  const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const read = (dir: string, file: string) => readFileSync(join(dir, file), 'utf8');
const daysLeft = (pem: string) =>
  Math.round((new X509Certificate(pem).validToDate.getTime() - Date.now()) / 86_400_000);

test('makes an authority and a certificate for each process, with keys for this user alone', () => {
  const dir = join(folder, 'new');
  expect(certificates(dir)).toMatchObject({
    status: 0,
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

test('issues new ones by the authority that is there, which it does not touch', () => {
  const dir = join(folder, 'again');
  certificates(dir);
  const [ca, key, chat] = ['ca.pem', 'ca-key.pem', 'chat.pem'].map((file) => read(dir, file));
  expect(certificates(dir, '--days', '7')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('the authority that was there'),
  });
  expect([read(dir, 'ca.pem'), read(dir, 'ca-key.pem')]).toEqual([ca, key]);
  expect(read(dir, 'chat.pem')).not.toBe(chat);
  expect(daysLeft(read(dir, 'chat.pem'))).toBe(7);
});

test('makes no authority in place of one whose key is elsewhere', () => {
  const dir = join(folder, 'half');
  certificates(dir);
  const ca = read(dir, 'ca.pem');
  rmSync(join(dir, 'ca-key.pem'));
  expect(certificates(dir)).toMatchObject({ status: 1, stderr: expect.stringContaining('other half') });
  expect(read(dir, 'ca.pem')).toBe(ca);
});

test.each([
  ['no folder', [], 'Name the folder to write to'],
  ['two folders', ['a', 'b'], 'Name one folder only'],
  ['no day', ['a', '--days', '0'], '--days is'],
  ['words for days', ['a', '--days', 'many'], '--days is'],
  ['an unknown option', ['a', '--force'], '--force'],
])('a mistake such as %s is told with the help, with code 2', (_, args, text) => {
  const { status, stdout, stderr } = certificates(...args);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
  expect(stderr).toContain('npm run certificates -- DIR');
});

test('--help names every option', () => {
  const { status, stdout } = certificates('--help');
  expect(status).toBe(0);
  for (const word of ['DIR', '--days', 'RPC_TLS_DIR', 'webhook-delivery']) expect(stdout).toContain(word);
});
