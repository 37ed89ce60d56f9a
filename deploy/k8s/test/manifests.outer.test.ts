import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS } from '@gatehouse/proto/peers';
import { PROCESSES as STACK } from '@gatehouse/stack/processes';
import { beforeAll, describe, expect, it } from 'vitest';
import { K8S, kubectl, OVERLAYS, type Overlay, objectsOf, withComponents } from './kustomize.ts';
import { type KubernetesObject, ofKind, workloadsOf } from './objects.ts';
import { containersOf, danglingReferences } from './references.ts';
import { KUBERNETES_VERSIONS, schemaChecker, schemas } from './schemas.ts';

/** Kinds of cluster operators, without a schema here: tests below check their objects. */
const CUSTOM = ['Certificate', 'Issuer', 'PodMonitor'];
/** Components that no overlay contains. */
const COMPONENTS = ['internal-envoy', 'private-ca', 'prometheus-operator'];
const PROCESSES = STACK.map(({ name }) => name);

describe.skipIf(kubectl === undefined)('the Kubernetes files', () => {
  const built = new Map<string, KubernetesObject[]>();
  beforeAll(async () => {
    for (const overlay of [...overlays, 'small'] as const) built.set(overlay, await objectsOf(overlay));
    built.set('all components', await withComponents(...COMPONENTS));
  });
  const overlays = Object.keys(OVERLAYS) as Overlay[];
  const all = [...overlays, 'small', 'all components'];
  const objects = (name: string) => built.get(name) ?? [];

  describe.skipIf(schemas === undefined).each(KUBERNETES_VERSIONS)('on Kubernetes %s', (version) => {
    it.each(all)('%s: every object matches its schema, without unknown members', async (name) => {
      const problemsOf = await schemaChecker(version);
      const problems: string[] = [];
      const native = objects(name).filter(({ kind }) => !CUSTOM.includes(kind));
      expect(native.length).toBeGreaterThan(25);
      for (const object of native) problems.push(...(await problemsOf(object)));
      expect(problems).toEqual([]);
    });
  });

  it.each(all)('%s: every reference resolves', (name) => {
    const dangling = danglingReferences(objects(name));
    expect(dangling.filter((problem) => !problem.endsWith(': no ConfigMap private-ca'))).toEqual([]);
    // The operator provides this one.
    expect(dangling.length > 0).toBe(name === 'all components');
  });

  it.each(all)('%s: all objects are in one namespace, which admits only restricted pods', (name) => {
    const namespaces = objects(name).filter(({ kind }) => kind === 'Namespace');
    expect(namespaces).toMatchObject([
      { metadata: { name: 'gatehouse', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    ]);
    for (const { kind, metadata } of objects(name)) {
      if (kind !== 'Namespace') expect(metadata.namespace, `${kind} ${metadata.name}`).toBe('gatehouse');
    }
  });

  it.each(all)('%s: every pod has no capabilities and no token, and sets its requests', (name) => {
    const workloads = workloadsOf(objects(name));
    expect(workloads.length).toBeGreaterThanOrEqual(name === 'small' ? 3 : 13);
    for (const workload of workloads) {
      const who = `${workload.kind} ${workload.metadata.name}`;
      const pod = workload.spec.template.spec;
      expect(pod.automountServiceAccountToken, who).toBe(false);
      expect(pod.securityContext, who).toMatchObject({
        runAsNonRoot: true,
        runAsUser: expect.any(Number),
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of pod.containers) {
        expect(container.image, who).toMatch(/^[^:@]+:[a-z0-9][a-z0-9.-]*$/);
        expect(container.image, who).not.toMatch(/:latest$/);
        expect(container.securityContext, who).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources, who).toEqual({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    }
  });

  it.each(overlays)(
    '%s: no process stops before its replacement is ready, or before it has drained',
    (name) => {
      const [settings] = ofKind(objects(name), 'ConfigMap').filter(({ metadata }) =>
        metadata.name.startsWith('settings-'),
      );
      const drain_s = Number(settings?.data.DRAIN_DELAY_SECONDS);
      for (const { metadata, spec } of processesOf(objects(name))) {
        expect(spec.strategy, metadata.name).toEqual({
          type: 'RollingUpdate',
          rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
        });
        expect(spec.template.spec.terminationGracePeriodSeconds, metadata.name).toBeGreaterThan(drain_s + 10);
      }
    },
  );

  it.each(overlays)(
    '%s: Envoy stays ready until load balancers have noticed its stop, and has time to drain clients',
    (name) => {
      for (const deployment of namedEnvoy(objects(name))) {
        const { minReadySeconds, template } = deployment.spec;
        const [container] = containersOf(deployment);
        const script = container?.lifecycle?.preStop?.exec?.command.at(-1) ?? '';
        const sleeps = [...script.matchAll(/^sleep (\d+)$/gm)].map(([, seconds]) => Number(seconds));
        expect(script).toMatch(/^sleep 20\n.*\/healthcheck\/fail .*\nsleep 10\n$/s);
        expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
          sleeps.reduce((sum, seconds) => sum + seconds, 0) + 5,
        );
        expect(minReadySeconds).toBe(30);
      }
    },
  );

  it.each(overlays)(
    '%s: the kubelet probes every process, and Envoy, over plain HTTP at the metrics port',
    (name) => {
      const deployments = [...processesOf(objects(name)), ...namedEnvoy(objects(name))];
      expect(deployments).toHaveLength(PROCESSES.length + 1);
      for (const deployment of deployments) {
        for (const { ports, startupProbe, livenessProbe, readinessProbe } of containersOf(deployment)) {
          expect(ports).toContainEqual({ name: 'metrics', containerPort: 9464 });
          expect(startupProbe).toMatchObject({ httpGet: { port: 'metrics' } });
          expect(livenessProbe).toMatchObject({ httpGet: { port: 'metrics', path: '/livez' } });
          // Otherwise all edges would leave the DNS while any service is down.
          const path = deployment.metadata.name === 'gateway' ? '/livez' : '/readyz';
          expect(readinessProbe).toMatchObject({ httpGet: { port: 'metrics', path } });
        }
      }
    },
  );

  it.each(overlays)('%s: a name stands for all replicas of a process', (name) => {
    const headless = ofKind(objects(name), 'Service').filter(({ spec }) => spec.clusterIP === 'None');
    expect(headless.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(PROCESSES));
  });

  it.each(overlays)('%s: replicas of realtime find each other while they drain', (name) => {
    const peers = ofKind(objects(name), 'Service').filter(({ spec }) => spec.publishNotReadyAddresses);
    expect(peers).toMatchObject([
      { metadata: { name: 'realtime-peers' }, spec: { clusterIP: 'None', ports: [{ port: 8087 }] } },
    ]);
  });

  it('stops replicas of realtime one by one, because each sends its clients to the others', () => {
    const autoscaler = ofKind(objects('production'), 'HorizontalPodAutoscaler').find(
      ({ metadata }) => metadata.name === 'realtime',
    );
    expect(autoscaler?.spec.behavior?.scaleDown.policies).toEqual([
      { type: 'Pods', value: 1, periodSeconds: 300 },
    ]);
  });

  it('is applied by commands whose files exist', () => {
    const page = readFileSync(join(K8S, 'README.md'), 'utf8');
    const named = [...page.matchAll(/ deploy\/(k8s\/[\w./-]+)/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(join(K8S, '..', path)))).toEqual([]);
  });

  it('is applied in the order of a release, with the edge last', () => {
    const page = readFileSync(join(K8S, 'README.md'), 'utf8');
    const [first, second] =
      page.match(/^kubectl apply -k deploy\/k8s\/overlays\/production(?: .*)?$/gm) ?? [];
    expect(first).toMatch(/ --selector='app\.kubernetes\.io\/name!=gateway'$/);
    expect(second).toMatch(/production$/);
    const last = ofKind(objects('production'), 'Deployment').filter(
      ({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === 'gateway',
    );
    expect(last.map(({ metadata }) => metadata.name)).toEqual(['gateway']);
  });

  it('gives each process and Envoy at least two replicas in production, and a budget of disruptions', () => {
    const autoscalers = ofKind(objects('production'), 'HorizontalPodAutoscaler');
    expect(autoscalers.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(
      [...PROCESSES, 'envoy'].sort(),
    );
    for (const { spec } of autoscalers) expect(spec.minReplicas).toBeGreaterThanOrEqual(2);
    const budgets = ofKind(objects('production'), 'PodDisruptionBudget').map(({ metadata }) => metadata.name);
    expect(budgets.sort()).toEqual([...PROCESSES, 'envoy'].sort());
  });

  it('requests the core and the memory of docs/operations.md, and scales at 60 %', () => {
    const page = readFileSync(join(K8S, '../../docs/operations.md'), 'utf8');
    expect(page).toMatch(
      /256 MiB for a service, 512 MiB for the edge and for auth\b[^.]*, 1\.5 GiB\s+for\s+media\b[^.]*, 1 GiB\s+for\s+realtime/,
    );
    const memory: Record<string, string> = {
      gateway: '512Mi',
      auth: '512Mi',
      media: '1536Mi',
      realtime: '1Gi',
    };
    for (const deployment of processesOf(objects('production'))) {
      const { name } = deployment.metadata;
      const [container] = containersOf(deployment);
      expect(container?.resources, name).toMatchObject({
        requests: { cpu: '1', memory: memory[name] ?? '256Mi' },
      });
    }
    for (const { metadata, spec } of ofKind(objects('production'), 'HorizontalPodAutoscaler'))
      if (PROCESSES.includes(metadata.name))
        expect(spec.metrics, metadata.name).toMatchObject([
          { resource: { target: { averageUtilization: 60 } } },
        ]);
  });

  it('spreads the replicas of each process over at least two nodes in production', () => {
    const deployments = [...processesOf(objects('production')), ...namedEnvoy(objects('production'))];
    for (const { metadata, spec } of deployments)
      expect(spec.template.spec.topologySpreadConstraints?.[0], metadata.name).toMatchObject({
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        maxSkew: 1,
        minDomains: 2,
      });
  });

  it('lets cert-manager issue a certificate in the name of each process, by a separate authority', () => {
    const of = (kind: string) => objects('production').filter((object) => object.kind === kind);
    expect(of('Issuer')).toMatchObject([
      { metadata: { name: 'authority' }, spec: { ca: { secretName: 'authority' } } },
      { metadata: { name: 'self-signed' }, spec: { selfSigned: {} } },
    ]);
    const issued = of('Certificate').filter(({ metadata }) => metadata.name !== 'authority');
    expect(issued.map(({ metadata }) => metadata.name).sort()).toEqual([...PEERS].sort());
    for (const certificate of issued) {
      const { name } = certificate.metadata;
      expect(certificate).toEqual({
        apiVersion: 'cert-manager.io/v1',
        kind: 'Certificate',
        metadata: { name, namespace: 'gatehouse' },
        spec: {
          secretName: `tls-${name}`,
          dnsNames: [`${name}.gatehouse.internal`],
          duration: '2160h',
          renewBefore: '720h',
          privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
          usages: ['digital signature', 'server auth', 'client auth'],
          issuerRef: { name: 'authority' },
        },
      });
    }
  });

  it('lets the Prometheus operator scrape every pod with metrics', () => {
    const monitors = objects('all components').filter(({ kind }) => kind === 'PodMonitor');
    expect(monitors).toEqual([
      {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PodMonitor',
        metadata: { name: 'gatehouse', namespace: 'gatehouse' },
        spec: {
          jobLabel: 'app.kubernetes.io/name',
          selector: { matchLabels: { 'app.kubernetes.io/part-of': 'gatehouse' } },
          podTargetLabels: ['app.kubernetes.io/name'],
          podMetricsEndpoints: [
            {
              port: 'metrics',
              path: '/metrics',
              relabelings: [
                { sourceLabels: ['job'], regex: 'runner', targetLabel: 'job', replacement: 'gateway' },
              ],
            },
            ...PROCESSES.slice(1).map((name, index) => ({
              port: `metrics-${9465 + index}`,
              path: '/metrics',
              relabelings: [{ targetLabel: 'job', replacement: name }],
            })),
          ],
        },
      },
    ]);
    for (const { metadata, spec } of processesOf(objects('all components')))
      expect(spec.template.metadata.labels, metadata.name).toMatchObject({
        'app.kubernetes.io/part-of': 'gatehouse',
      });
  });
});

const processesOf = (objects: readonly KubernetesObject[]) =>
  ofKind(objects, 'Deployment').filter(({ metadata }) => PROCESSES.includes(metadata.name));
const namedEnvoy = (objects: readonly KubernetesObject[]) =>
  ofKind(objects, 'Deployment').filter(({ metadata }) => metadata.name === 'envoy');
