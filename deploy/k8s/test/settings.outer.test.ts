import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { PEERS } from '@gatehouse/proto/peers';
import { DATABASE_SERVICES, SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { PROCESSES } from '@gatehouse/stack/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, SOME_SECRETS } from './environment-of.ts';
import { K8S, kubectl, OVERLAYS, type Overlay, objectsOf, parseObjects } from './kustomize.ts';
import { type KubernetesObject, ofKind, workloadsOf } from './objects.ts';
import { containersOf, secretKeysOf } from './references.ts';

const run = promisify(execFile);

/** Variables of Node, glibc and PostgreSQL's image. */
const OF_OTHERS = /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|MALLOC_.*_|POSTGRES_PASSWORD)$/;
describe.skipIf(kubectl === undefined).each(Object.keys(OVERLAYS) as Overlay[])(
  'the settings of %s',
  (overlay) => {
    let objects: KubernetesObject[] = [];
    beforeAll(async () => {
      objects = await objectsOf(overlay);
    });
    const containers = () => workloadsOf(objects).flatMap(containersOf);
    const deployed = (name: string) => {
      const [found] = ofKind(objects, 'Deployment').filter(({ metadata }) => metadata.name === name);
      if (found === undefined) throw new Error(`no Deployment ${name}`);
      return found;
    };

    it.each(PROCESSES.map((row) => [row.name, row] as const))(
      'are complete and valid for %s',
      (name, row) => {
        const [container] = containersOf(deployed(name));
        const env = environmentOf(container, objects);
        expect(() => row.readConfig(env)).not.toThrow();
        expect(env).toMatchObject({ RPC_TLS_CERT: '/run/gatehouse/tls/tls.crt' });
        const others = SERVICE_NAMES.filter((other) => other !== name);
        const theirs = others.flatMap((other) => serviceNamed(other).secrets ?? []);
        for (const secret of theirs) expect(env).not.toHaveProperty(secret);
      },
    );

    it('are complete for each migration, which runs the image of its service', () => {
      const migrations = ofKind(objects, 'Job');
      const withDatabase = PROCESSES.filter(({ has_database }) => has_database);
      expect(migrations.map(({ metadata }) => metadata.name).sort()).toEqual(
        withDatabase.map(({ name }) => `migrate-${name}`).sort(),
      );
      for (const row of withDatabase) {
        const job = migrations.find(({ metadata }) => metadata.name === `migrate-${row.name}`);
        const [migration] = job === undefined ? [] : containersOf(job);
        const [process] = containersOf(deployed(row.name));
        expect(migration).toMatchObject({ args: ['migrate'], image: process?.image });
        expect(() => row.readConfig(environmentOf(migration, objects))).not.toThrow();
      }
    });

    it('are all in .env.example', () => {
      const explained = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
      const names = new Set(containers().flatMap((one) => Object.keys(environmentOf(one, objects))));
      const unknown = [...names].filter(
        (name) => !OF_OTHERS.test(name) && !new RegExp(`^# ${name}=`, 'm').test(explained),
      );
      expect(unknown).toEqual([]);
    });

    it('contain no secret: each is a reference, and README.md lists its keys', () => {
      expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
      const literal = containers().flatMap(({ env = [] }) => env.filter(({ value }) => value !== undefined));
      for (const { name, value } of [...literal, ...settingsIn(objects)]) {
        expect(Object.keys(SOME_SECRETS)).not.toContain(name);
        expect(value, name).not.toMatch(/:\/\/[^/]*:[^/]*@/);
      }
      const documented = secretsOfPage();
      for (const { name, key } of secretKeysOf(objects))
        expect(documented.get(name.startsWith('tls-') ? 'tls-NAME' : name), name).toContain(key);
    });

    it('give the edges and ratelimit their minimum number of replicas', () => {
      for (const [name, variable] of [
        ['gateway', 'GATEWAY_REPLICAS'],
        ['ratelimit', 'RATELIMIT_REPLICAS'],
      ] as const) {
        const autoscaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
          ({ metadata }) => metadata.name === name,
        );
        const [container] = containersOf(deployed(name));
        expect(environmentOf(container, objects)[variable]).toBe(String(autoscaler?.spec.minReplicas ?? 1));
      }
    });
  },
);

describe.skipIf(kubectl === undefined)('secrets.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('creates exactly the secrets of the local overlay, with the name of each process', async () => {
    const certificates = await openCertificateFolder(folder, { name: 'test', valid_days: 1 });
    for (const name of PEERS) await certificates.issue(name, { domain: 'gatehouse.internal', valid_days: 1 });
    const PATH = [...(kubectl?.includes('/') ? [dirname(kubectl)] : []), process.env.PATH].join(delimiter);
    const { stdout } = await run(join(K8S, 'overlays/local/secrets.sh'), [folder], { env: { PATH } });
    const secrets = new Map(
      parseObjects(stdout).map((secret) => [secret.metadata.name, dataOf(secret)] as const),
    );

    const asked = secretKeysOf(await objectsOf('local'));
    expect([...secrets.keys()].sort()).toEqual([...new Set(asked.map(({ name }) => name))].sort());
    for (const { name, key } of asked) expect(Object.keys(secrets.get(name) ?? {}), name).toContain(key);
    for (const { name } of PROCESSES) {
      const { subjectAltName } = new X509Certificate(secrets.get(`tls-${name}`)?.['tls.crt'] ?? '');
      expect(subjectAltName).toBe(`DNS:${name}.gatehouse.internal`);
    }
    // The migrations create these logins.
    for (const name of DATABASE_SERVICES) {
      const url = new URL(secrets.get(name)?.DATABASE_URL ?? '');
      expect(url.username).toBe(`gatehouse_${name.replaceAll('-', '_')}`);
      expect(url.password).toMatch(/^[0-9a-f]{48}$/);
    }
  });
});

function settingsIn(objects: readonly KubernetesObject[]): { name: string; value: string }[] {
  return ofKind(objects, 'ConfigMap').flatMap(({ data }) =>
    Object.entries(data).map(([name, value]) => ({ name, value })),
  );
}

/** The table of secrets in README.md: their keys, by name. */
function secretsOfPage(): Map<string, string[]> {
  const page = readFileSync(join(K8S, 'README.md'), 'utf8');
  const rows = page.matchAll(/^\| `([^`]+)`\s*\| ((?:`[^`]+`(?:, )?)+)\s*\|/gm);
  return new Map(
    [...rows].map(([, name = '', keys = '']) => [
      name,
      [...keys.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
    ]),
  );
}

/** As text. */
function dataOf(
  secret: KubernetesObject & { readonly data?: Record<string, string> },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secret.data ?? {}).map(([key, value]) => [
      key,
      Buffer.from(value, 'base64').toString('utf8'),
    ]),
  );
}
