import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateFolder, openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../support/run-doctor.ts';

const YEAR_DAYS = 365;

let folder: string;
let issuer: CertificateFolder;
beforeEach(async () => {
  folder = newFolder();
  issuer = await openCertificateFolder(folder, { name: 'test', valid_days: YEAR_DAYS });
  await issue('auth');
});

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}
const issue = (name: string, valid_days = 90) => issuer.issue(name, { domain: 'test', valid_days });
const doctor = (env: NodeJS.ProcessEnv = { RPC_TLS_DIR: folder }) => runDoctor('certificates', env);
const file = (name: string) => join(folder, name);

test('certificates of a folder are checked by the names of their files', async () => {
  await issue('chat');
  expect(await doctor()).toMatchObject([
    { status: 'ok', subject: file('ca.pem') },
    { status: 'ok', subject: file('auth.pem'), text: expect.stringMatching(/^auth, until /) },
    { status: 'ok', subject: file('chat.pem') },
  ]);
  copyFileSync(file('auth.pem'), file('chat.pem'));
  copyFileSync(file('auth-key.pem'), file('chat-key.pem'));
  expect(await doctor()).toContainEqual(
    expect.objectContaining({
      status: 'problem',
      subject: file('chat.pem'),
      text: 'is the certificate of auth; it must be that of chat',
    }),
  );
});

test('a certificate that expires within 30 days is a warning', async () => {
  await issue('auth', 20);
  expect(await doctor()).toContainEqual(
    expect.objectContaining({
      status: 'warning',
      text: expect.stringMatching(/^expires in (19|20) days, on /),
    }),
  );
});

test('a key of another certificate is a problem', async () => {
  await issue('chat');
  copyFileSync(file('chat-key.pem'), file('auth-key.pem'));
  expect(await doctor()).toContainEqual(
    expect.objectContaining({ status: 'problem', text: `is not the key of ${file('auth.pem')}` }),
  );
});

test('a certificate of another authority is a problem', async () => {
  const other = newFolder();
  const stranger = await openCertificateFolder(other, { name: 'test', valid_days: YEAR_DAYS });
  await stranger.issue('auth', { domain: 'test', valid_days: 90 });
  for (const name of ['auth.pem', 'auth-key.pem']) copyFileSync(join(other, name), file(name));
  expect(await doctor()).toContainEqual(
    expect.objectContaining({
      status: 'problem',
      text: expect.stringContaining('was not issued by an authority'),
    }),
  );
});

test.each([
  ['missing', (path: string) => rmSync(path), 'cannot be read: ENOENT'],
  ['no PEM', (path: string) => writeFileSync(path, 'x'), 'cannot be read'],
])('a key that is %s is a problem', async (_, spoil, text) => {
  spoil(file('auth-key.pem'));
  expect(await doctor()).toContainEqual(
    expect.objectContaining({
      status: 'problem',
      subject: file('auth-key.pem'),
      text: expect.stringContaining(text),
    }),
  );
});

test('a key that others may read is a warning', async () => {
  chmodSync(file('auth-key.pem'), 0o644);
  expect(await doctor()).toContainEqual(
    expect.objectContaining({ status: 'warning', subject: file('auth-key.pem') }),
  );
});

test('RPC_TLS_CERT, and those of single services, are checked too', async () => {
  const { cert, key, ca } = certificateFilesIn(folder, 'auth');
  expect(await doctor({ RPC_TLS_CERT: cert, RPC_TLS_KEY: key, RPC_TLS_CA: ca })).toMatchObject([
    { status: 'ok' },
    { status: 'ok', subject: cert },
  ]);
  const own = { CHAT_RPC_TLS_CERT: cert, CHAT_RPC_TLS_KEY: key, RPC_TLS_CA: ca };
  expect(await doctor(own)).toContainEqual(
    expect.objectContaining({
      status: 'problem',
      text: 'is the certificate of auth; it must be that of chat',
    }),
  );
  expect(await doctor({ RPC_TLS_CERT: cert, RPC_TLS_KEY: key })).toContainEqual(
    expect.objectContaining({ status: 'problem', subject: 'RPC_TLS_CA' }),
  );
});

test('an empty folder is a problem; without settings nothing is checked', async () => {
  expect(await doctor({ RPC_TLS_DIR: newFolder() })).toMatchObject([{ status: 'problem' }]);
  expect(await doctor({})).toMatchObject([{ status: 'skipped' }]);
});
