import { ownVariable, SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { readServiceNames, serviceEnvironments } from '@gatehouse/runner/service-environments';
import { PROCESSES } from '@gatehouse/stack/processes';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from './environment-of.ts';
import { kubectl, objectsOf } from './kustomize.ts';
import { type KubernetesObject, ofKind } from './objects.ts';
import { containersOf, secretKeysOf } from './references.ts';

const RUNNER = { 'app.kubernetes.io/name': 'runner' };
const OTHER_PODS = [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'envoy' } } }];
const RUNNERS = [{ podSelector: { matchLabels: RUNNER } }];

describe.skipIf(kubectl === undefined)('the small overlay', () => {
  let objects: KubernetesObject[] = [];
  let production: KubernetesObject[] = [];
  beforeAll(async () => {
    objects = await objectsOf('small');
    production = await objectsOf('production');
  });
  const deployed = () =>
    ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === 'runner') ??
    expect.unreachable('no Deployment runner');
  const environment = () => environmentOf(containersOf(deployed())[0], objects);
  const policy = (name: string) =>
    ofKind(objects, 'NetworkPolicy').find(({ metadata }) => metadata.name === name)?.spec;

  it('runs two processes of all services on two nodes, behind Envoy', () => {
    expect(ofKind(objects, 'Deployment').map(({ metadata }) => metadata.name)).toEqual(['envoy', 'runner']);
    expect(deployed().spec).toMatchObject({
      replicas: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    });
    expect(deployed().spec.template.spec.topologySpreadConstraints?.[0]).toMatchObject({
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      minDomains: 2,
    });
    expect(readServiceNames(environment())).toEqual(SERVICE_NAMES);
    const budgets = ofKind(objects, 'PodDisruptionBudget').map(({ metadata }) => metadata.name);
    expect(budgets.toSorted()).toEqual(['envoy', 'runner']);
  });

  it('gives each service valid settings, its certificate, and no secret of another', () => {
    const environments = serviceEnvironments(SERVICE_NAMES, environment());
    for (const name of SERVICE_NAMES) {
      const env = environments.get(name) ?? {};
      const row = PROCESSES.find((process) => process.name === name);
      expect(() => row?.readConfig(env), name).not.toThrow();
      expect(env, name).toMatchObject({
        RPC_TLS_CERT: `/run/gatehouse/tls/${name}.pem`,
        RPC_TLS_KEY: `/run/gatehouse/tls/${name}-key.pem`,
        RPC_TLS_CA: '/run/gatehouse/tls/ca.pem',
      });
      for (const other of SERVICE_NAMES)
        if (other !== name)
          for (const secret of serviceNamed(other).secrets ?? []) expect(env).not.toHaveProperty(secret);
    }
    expect(environment()).toMatchObject({ GATEWAY_REPLICAS: '2', RATELIMIT_REPLICAS: '2' });
    expect(environment()).not.toHaveProperty('RPC_TLS_CERT');
  });

  it('mounts the certificate of each service under its name', () => {
    const [tls] = deployed().spec.template.spec.volumes?.filter(({ name }) => name === 'tls') ?? [];
    const items = tls?.projected?.sources.flatMap(({ secret }) =>
      secret.items.map((item) => [secret.name, Object.values(item)]),
    );
    expect(items).toEqual([
      ...SERVICE_NAMES.flatMap((name) => [
        [`tls-${name}`, ['tls.crt', `${name}.pem`]],
        [`tls-${name}`, ['tls.key', `${name}-key.pem`]],
      ]),
      ['tls-gateway', ['ca.crt', 'ca.pem']],
    ]);
  });

  it('needs the secrets of the production overlay, and no other', () => {
    const keys = (of: readonly KubernetesObject[]) =>
      new Set(secretKeysOf(of).map(({ name, key }) => `${name} ${key}`));
    // One of the processes' certificates has the authority for all.
    const authorities = SERVICE_NAMES.slice(1).map((name) => `tls-${name} ca.crt`);
    expect(new Set([...keys(objects), ...authorities])).toEqual(keys(production));
  });

  it('migrates every database by one Job before the processes start', () => {
    const jobs = ofKind(objects, 'Job');
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['migrate-runner']);
    const [container] = jobs.flatMap(containersOf);
    expect(container).toMatchObject({ args: ['migrate'], image: containersOf(deployed())[0]?.image });
    const env = environmentOf(container, objects);
    const withDatabase = PROCESSES.filter(({ has_database }) => has_database);
    expect(readServiceNames(env)).toEqual(withDatabase.map(({ name }) => name));
    const environments = serviceEnvironments(readServiceNames(env), env);
    for (const { name, readConfig } of withDatabase) {
      const own = [...environments].find(([one]) => one === name)?.[1] ?? {};
      expect(() => readConfig(own), name).not.toThrow();
      expect(own.DATABASE_URL, name).toBeDefined();
    }
    for (const name of readServiceNames(env)) expect(env).toHaveProperty(ownVariable(name, 'DATABASE_URL'));
  });

  it('finds the processes by the name of each service, at its port', () => {
    const services = ofKind(objects, 'Service').filter(({ spec }) => spec.clusterIP === 'None');
    const ports = Object.fromEntries(
      services.map(({ metadata, spec }) => [metadata.name, spec.ports[0]?.port]),
    );
    const expected = SERVICE_NAMES.map((name) => {
      const { http, grpc, websocket } = serviceNamed(name).ports;
      return [name, websocket ?? grpc ?? http];
    });
    expect(ports).toEqual({ ...Object.fromEntries(expected), 'realtime-peers': 8087 });
    for (const { metadata, spec } of services) {
      expect(spec.selector, metadata.name).toEqual(RUNNER);
      expect(spec.publishNotReadyAddresses ?? false).toBe(metadata.name === 'realtime-peers');
    }
  });

  it('first becomes ready when all services have started, and then stays in the DNS while one is down', () => {
    const [container] = containersOf(deployed());
    expect(container).toMatchObject({
      startupProbe: { httpGet: { port: 'metrics', path: '/readyz' } },
      readinessProbe: { httpGet: { port: 'metrics', path: '/livez' } },
      livenessProbe: { httpGet: { port: 'metrics', path: '/livez' } },
    });
    const metrics = container?.ports?.filter(({ name }) => name.startsWith('metrics'));
    expect(metrics?.map(({ containerPort }) => containerPort)).toEqual(
      SERVICE_NAMES.map((_, index) => 9464 + index),
    );
  });

  it('opens ports only to Envoy, to the platform, to Prometheus and to the other process', () => {
    expect(policy('default-deny')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const platform = { namespaceSelector: { matchLabels: { 'gatehouse.internal/platform': 'true' } } };
    const monitoring = {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
    };
    expect(policy('runner')).toEqual({
      podSelector: { matchLabels: RUNNER },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: OTHER_PODS, ports: [{ port: 8080 }] },
        { from: [...OTHER_PODS, platform], ports: [{ port: 8081 }] },
        { from: [...RUNNERS, ...OTHER_PODS], ports: [{ port: 8088 }] },
        { from: RUNNERS, ports: [{ port: 8087 }] },
        { from: RUNNERS, ports: [{ port: 9464, endPort: 9472 }] },
        { from: [monitoring], ports: [{ port: 9465, endPort: 9472 }] },
      ],
      egress: [
        { to: RUNNERS, ports: [{ port: 8088 }] },
        { to: RUNNERS, ports: [{ port: 8087 }] },
        { to: RUNNERS, ports: [{ port: 9464, endPort: 9472 }] },
        { to: [monitoring], ports: [{ port: 9090 }] },
      ],
    });
    expect(policy('envoy')?.egress).toEqual([
      { to: RUNNERS, ports: [{ port: 8080 }, { port: 8081 }, { port: 8088 }] },
    ]);
    for (const name of ['database', 'redis', 'mail'])
      expect(policy(name)?.podSelector).toEqual({ matchLabels: RUNNER });
  });
});
