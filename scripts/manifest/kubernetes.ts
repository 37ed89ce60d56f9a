import { readFileSync } from 'node:fs';
import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { PEERS } from '@gatehouse/proto/peers';
import {
  addressVariable,
  DATABASE_SERVICES,
  SERVICE_NAMES,
  SERVICES,
  type ServiceName,
  serviceNamed,
} from '@gatehouse/proto/services';
import { parseDocument, YAMLSeq } from 'yaml';
import { withBlock } from './block.ts';
import { settingsOf } from './settings.ts';
import { concatenate, GENERATED } from './text.ts';

/** deploy/k8s/base/kustomization.yaml with the files of all services. */
export function withServiceFiles(kustomization: string): string {
  return withBlock(kustomization, 'services', concatenate(SERVICE_NAMES.map((name) => `- ${name}.yaml\n`)));
}

/** deploy/k8s/common/addresses.env: the addresses of services that others call. */
export function addressesFile(): string {
  const read = new Set(SERVICE_NAMES.flatMap((name) => settingsOf(name).map((setting) => setting.name)));
  const lines = SERVICE_NAMES.filter((name) => read.has(addressVariable(name))).map((name) => {
    const { grpc, websocket } = serviceNamed(name).ports;
    return `${addressVariable(name)}=${name}:${websocket ?? grpc}\n`;
  });
  return `${GENERATED}\n# Headless services: a name stands for the addresses of all ready replicas.\n${concatenate(lines)}${REALTIME}`;
}

/** The gRPC port, which oauth2 calls. REALTIME_ADDRESS has the port of the WebSockets. */
const REALTIME = `REALTIME_PEERS=realtime:${SERVICES.realtime.ports.grpc}\n`;

/** The network policies, with the services that may reach databases. */
export function withDatabasePolicy(policies: string): string {
  return withBlock(policies, 'databases', `values: [${DATABASE_SERVICES.join(', ')}]\n`);
}

/** The component of a private authority, with the services that talk to PostgreSQL or Redis. */
export function withDatabaseClients(kustomization: string): string {
  return withBlock(
    kustomization,
    'databases',
    `name: ${['ratelimit', ...DATABASE_SERVICES, 'runner'].join('|')}\n`,
  );
}

/** deploy/k8s/migrate/jobs.yaml. */
export function migrationJobs(): string {
  return `${GENERATED}\n${DATABASE_SERVICES.map(migrationJob).join('---\n')}`;
}

/** Secrets that a service cannot start without, beside that of its database. */
export const NEEDED_SECRETS: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  auth: ['AUTH_SECRET_KEY'],
  console: ['CONSOLE_SECRET_KEY'],
};

function migrationJob(name: ServiceName): string {
  // The process reads its settings before it migrates.
  const keys = ['DATABASE_URL', ...(NEEDED_SECRETS[name] ?? [])];
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate-${name}
  labels: &labels
    app.kubernetes.io/name: migrate-${name}
    app.kubernetes.io/component: migration
spec:
  template:
    metadata:
      labels: *labels
    spec:
      containers:
        - name: migrate
          image: gatehouse/${name}
          env:
${concatenate(keys.map((key) => JOB_SECRET(name, key)))}`;
}

const JOB_SECRET = (name: ServiceName, key: string): string => `\
            - name: ${key}
              valueFrom:
                secretKeyRef:
                  name: ${name}
                  key: ${key}
`;

/** The component of images, with one for each service and for the runner. Tags and registries stay: operators set them. */
export function withImages(kustomization: string): string {
  const document = parseDocument(kustomization);
  const images = document.get('images');
  if (!(images instanceof YAMLSeq)) throw new Error('components/images lists no images');
  const missing = [...SERVICE_NAMES, 'runner'].filter(
    (name) => !kustomization.includes(`name: gatehouse/${name}\n`),
  );
  for (const name of missing)
    images.items.push(document.createNode({ name: `gatehouse/${name}`, newTag: version() }));
  return missing.length === 0 ? kustomization : document.toString();
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

/** deploy/k8s/README.md with the command that loads the image of each service. */
export function withImageNames(readme: string): string {
  return readme.replace(/^for name in .*; do$/m, `for name in ${SERVICE_NAMES.join(' ')}; do`);
}

/** cert-manager's certificates, with one for each peer. */
export function withCertificates(certificates: string): string {
  const own = PEERS.map(
    (name) => `---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: ${name}
spec:
  secretName: tls-${name}
  dnsNames: [${name}.gatehouse.internal]
`,
  );
  return withBlock(certificates, 'peers', concatenate(own));
}

/** cert-manager's kustomization, with the peers whose certificates it patches. */
export function withCertificateNames(kustomization: string): string {
  return withBlock(kustomization, 'peers', `name: ${PEERS.join('|')}\n`);
}

/** The script that makes the local overlay's secrets. */
export function withSecretNames(script: string): string {
  const lists = `processes="${SERVICE_NAMES.join(' ')}"\ndatabases="${DATABASE_SERVICES.join(' ')}"\n`;
  return withBlock(script, 'services', lists);
}

/** deploy/k8s/README.md with the table of secrets. */
export function withSecretsTable(readme: string): string {
  const ofServices = SERVICE_NAMES.map((name) => [code(name), secretKeys(name).map(code).join(', '), '']);
  const rows = [
    ...ofServices.filter(([, keys]) => keys !== ''),
    ...OTHER_SECRETS.map(([name, keys, use]) => [code(name), keys.map(code).join(', '), use]),
  ];
  return withBlock(readme, 'secrets', `\n${markdownTable(['Secret', 'Keys', 'Use'], rows)}\n`);
}

const OTHER_SECRETS: readonly (readonly [name: string, keys: readonly string[], use: string])[] = [
  [
    'database-admin',
    ['ADMIN_DATABASE_URL'],
    'optional, for migrations: a user who may create roles and databases',
  ],
  ['postgres', ['POSTGRES_PASSWORD'], 'local only'],
  ['front', ['tls.crt', 'tls.key'], 'for clients of Envoy; any issuer'],
  ['tls-NAME', ['tls.crt', 'tls.key', 'ca.crt'], `mutual TLS; NAME is ${SERVICE_NAMES.join(', ')} or envoy`],
];

function secretKeys(name: ServiceName): string[] {
  const { database, secrets = [] } = serviceNamed(name);
  return [...(database === undefined ? [] : ['DATABASE_URL']), ...secrets];
}

const code = (text: string): string => `\`${text}\``;
