import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { issueCertificate, makeAuthority } from '@gatehouse/certificates/certificate-authority';
import { runCommand } from '@gatehouse/cli/testing/run-command';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { serviceEnvironments } from '@gatehouse/runner/service-environments';
import { PROCESSES } from '@gatehouse/stack/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-prepare-'));
let first = '';

beforeAll(async () => {
  first = (await runCommand(['prepare', folder])).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const everything = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => [file, read(file)] as const);

describe('gatehouse prepare', () => {
  it.each(PROCESSES.map((row) => [row.name, row] as const))('gives %s its own files only', (name, row) => {
    const secrets = parseEnv(read(`${name}/secrets.env`));
    expect(() => row.readConfig(secrets)).not.toThrow();
    const { subjectAltName } = new X509Certificate(read(`${name}/${name}.pem`));
    expect(subjectAltName).toMatch(new RegExp(`^DNS:${name}\\.`));
    expect(readdirSync(join(folder, name)).toSorted()).toEqual(
      [`${name}-key.pem`, `${name}.pem`, 'ca.pem', 'secrets.env'].toSorted(),
    );
  });

  it('writes secrets for its own user alone, each in one place and in the authority’s folder', () => {
    for (const [file] of everything())
      if (!file.startsWith('authority/') || /key|secrets/.test(file))
        expect(statSync(join(folder, file)).mode & 0o077, file).toBe(0);
    const password = new URL(String(parseEnv(read('chat/secrets.env')).DATABASE_URL)).password;
    const holders = everything().flatMap(([file, text]) => (text.includes(password) ? [file] : []));
    expect(holders.toSorted()).toEqual(['authority/secrets.json', 'chat/secrets.env']);
  });

  it('keeps existing files when it runs again', async () => {
    const before = everything();
    const { code, stdout } = await runCommand(['prepare', folder]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'kept the existing secrets, issued 0 certificates\n',
    });
    expect(everything()).toEqual(before);
    // The certificates of each process, the operator and Envoy, and the one for clients.
    expect(first).toBe(`made secrets, issued ${PROCESSES.length + 3} certificates\n`);
  });

  it.each([
    ['renews its own', 'Gatehouse front', 29, true],
    ['keeps its own', 'Gatehouse front', 31, false],
    ['keeps another’s', 'Somebody', 1, false],
  ])('%s certificate for clients (by %s, %i days left)', async (_, issuer, valid_days, renewed) => {
    const { cert } = await issueCertificate(await makeAuthority(issuer, 100), {
      dns_names: ['localhost'],
      valid_days,
    });
    writeFileSync(join(folder, 'envoy/front.pem'), cert);
    await runCommand(['prepare', folder]);
    const now = new X509Certificate(read('envoy/front.pem'));
    expect(now.fingerprint256 !== new X509Certificate(cert).fingerprint256).toBe(renewed);
    if (renewed) expect(now.checkPrivateKey(createPrivateKey(read('envoy/front-key.pem')))).toBe(true);
  });

  it('replaces files that a full disk left empty, and certificates that do not match their keys', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-prepare-'));
    cpSync(folder, other, { recursive: true });
    const files = ['authority/secrets.json', 'authority/auth.pem', 'envoy/front.pem', 'auth/auth-key.pem'];
    for (const file of files) truncateSync(join(other, file));
    copyFileSync(join(other, 'authority/media-key.pem'), join(other, 'authority/chat-key.pem'));
    const { stdout } = await runCommand(['prepare', other]);
    for (const file of files) expect(readFileSync(join(other, file), 'utf8'), file).not.toBe('');
    const [cert, key] = ['chat/chat.pem', 'chat/chat-key.pem'].map((file) => readFileSync(join(other, file)));
    rmSync(other, { recursive: true });
    expect(stdout).toBe('made secrets, issued 3 certificates\n');
    expect(new X509Certificate(cert ?? '').checkPrivateKey(createPrivateKey(key ?? ''))).toBe(true);
  });

  it('gives a runner the certificates and secrets of all services in one folder, and no service a folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-prepare-'));
    cpSync(join(folder, 'authority'), join(other, 'authority'), { recursive: true });
    const { stdout } = await runCommand(['prepare', '--runner', other]);
    const folders = readdirSync(other);
    const files = readdirSync(join(other, 'runner'));
    const certificates = PROCESSES.map(
      ({ name }) => new X509Certificate(readFileSync(join(other, `runner/${name}.pem`))).subjectAltName,
    );
    const secrets = readFileSync(join(other, 'runner/secrets.env'), 'utf8');
    rmSync(other, { recursive: true });
    expect(folders.toSorted()).toEqual(
      ['authority', 'envoy', 'migrations', 'operator', 'postgres', 'redis', 'runner'].toSorted(),
    );
    expect(certificates).toEqual(PROCESSES.map(({ name }) => `DNS:${name}.gatehouse.internal`));
    expect(files).toHaveLength(2 * PROCESSES.length + 2); // and ca.pem and secrets.env
    // The same authority and secrets: only the certificate for clients is new.
    expect(stdout).toBe('kept the existing secrets, issued 1 certificates\n');
    const environments = serviceEnvironments(SERVICE_NAMES, parseEnv(secrets));
    for (const name of SERVICE_NAMES) {
      const env = environments.get(name) ?? {};
      expect(() => PROCESSES.find((row) => row.name === name)?.readConfig(env), name).not.toThrow();
      for (const [variable, value] of Object.entries(parseEnv(read(`${name}/secrets.env`))))
        expect(env[variable], `${name}: ${variable}`).toBe(value);
    }
  });

  it('creates different secrets for another stack', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gatehouse-prepare-'));
    await runCommand(['prepare', other]);
    const theirs = Object.values(JSON.parse(readFileSync(join(other, 'authority/secrets.json'), 'utf8')));
    rmSync(other, { recursive: true });
    for (const secret of Object.values(JSON.parse(read('authority/secrets.json')))) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(theirs).not.toContain(secret);
    }
  });
});
