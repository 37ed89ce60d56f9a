import { CALLS, PEERS } from '@gatehouse/proto/peers';
import { DATABASE_SERVICES, SERVICE_NAMES } from '@gatehouse/proto/services';
import { PROCESSES } from '@gatehouse/stack/processes';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from './environment-of.ts';
import { kubectl, OVERLAYS, type Overlay, objectsOf } from './kustomize.ts';
import {
  type KubernetesObject,
  type NetworkPolicy,
  ofKind,
  type PolicyPeer,
  type Selector,
} from './objects.ts';
import { containersOf } from './references.ts';

const NAME = 'app.kubernetes.io/name';
const NAMESPACE = 'kubernetes.io/metadata.name';
const PLATFORM = 'gatehouse.internal/platform';
/**
 * Operators reach a pod through the Kubernetes API, the platform's other services are in separate namespaces, and
 * the internal Envoy belongs to a component.
 */
const ELSEWHERE = ['operator', 'admin', 'platform', 'envoy-internal'];
/** Connections without gRPC: requests, WebSockets, and the edge's tunnels to them. */
const OVER_HTTP = ['envoy -> gateway', 'envoy -> realtime', 'gateway -> realtime'];
/** The port of realtime's WebSockets. */
const WEB_SOCKETS = 8088;
const WITH_PODS = PEERS.filter((name) => !ELSEWHERE.includes(name));

describe.skipIf(kubectl === undefined).each(Object.keys(OVERLAYS) as Overlay[])(
  'the network policies of %s',
  (overlay) => {
    let policies: NetworkPolicy[] = [];
    let objects: KubernetesObject[] = [];
    beforeAll(async () => {
      objects = await objectsOf(overlay);
      policies = ofKind(objects, 'NetworkPolicy');
    });
    const policyOf = (name: string) => {
      const policy = policies.find(({ metadata }) => metadata.name === name);
      if (policy === undefined) throw new Error(`no policy of ${name}`);
      return policy;
    };

    it('deny all other traffic', () => {
      const [deny] = policies.filter(({ metadata }) => metadata.name === 'default-deny');
      expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    });

    it('allow exactly the calls of the table of allowed calls', () => {
      const allowed = CALLS.filter(({ from }) => !ELSEWHERE.includes(from)).map(
        ({ from, to }) => `${from} -> ${to}`,
      );
      const expected = [...new Set([...allowed, ...OVER_HTTP])].sort();
      const between = (pairs: readonly [string, string][]) =>
        pairs.filter((pair) => pair.every(isOurs)).map(([from, to]) => `${from} -> ${to}`);
      const called = policies.flatMap(({ spec: { podSelector, egress = [] } }) =>
        selectedBy(podSelector).flatMap((from) =>
          between(namesIn(egress.map(({ to }) => to)).map((to) => [from, to])),
        ),
      );
      const calling = policies.flatMap(({ spec: { podSelector, ingress = [] } }) =>
        selectedBy(podSelector).flatMap((to) =>
          between(namesIn(ingress.map(({ from }) => from)).map((from) => [from, to])),
        ),
      );
      expect(called.sort()).toEqual(expected);
      expect(calling.sort()).toEqual(expected);
    });

    it('name the ports on which processes listen', () => {
      const ports = new Map(PROCESSES.map(({ name, port_index }) => [name, 8080 + port_index]));
      const portFor = (from: string, to: string) =>
        to === 'realtime' && OVER_HTTP.includes(`${from} -> ${to}`) ? WEB_SOCKETS : (ports.get(to) ?? 8443);
      for (const name of WITH_PODS) {
        const { ingress = [], egress = [] } = policyOf(name).spec;
        for (const rule of ingress) {
          const callers = namesIn([rule.from]);
          const expected = callers.length === 0 ? [''] : callers;
          for (const caller of expected) expect(rule.ports, name).toEqual([{ port: portFor(caller, name) }]);
        }
        for (const rule of egress)
          expect(rule.ports, name).toEqual(
            namesIn([rule.to]).map((callee) => ({ port: portFor(name, callee) })),
          );
      }
    });

    it('open databases, Redis and mail to the processes whose settings name one', () => {
      const mayReach = (port: number) =>
        policies
          .filter(({ spec }) => spec.egress?.some(({ ports }) => ports.some((one) => one.port === port)))
          .flatMap(({ spec: { podSelector } }) => selectedBy(podSelector))
          .sort();
      expect(mayReach(5432)).toEqual([...DATABASE_SERVICES, 'migration'].sort());
      expect(mayReach(6379)).toEqual(['ratelimit']);
      expect(mayReach(587)).toEqual(['auth']);
    });

    it('let the console read the metrics of every process that its setting names', () => {
      const [console] = ofKind(objects, 'Deployment').filter(({ metadata }) => metadata.name === 'console');
      const [container] = console === undefined ? [] : containersOf(console);
      const { CONSOLE_METRICS } = environmentOf(container, objects);
      expect(CONSOLE_METRICS?.split(',')).toEqual(SERVICE_NAMES.map((name) => `${name}=${name}:9464`));
      const processes = [{ podSelector: { matchLabels: { 'app.kubernetes.io/component': 'process' } } }];
      expect(policyOf('console-metrics').spec).toMatchObject({
        podSelector: { matchLabels: { [NAME]: 'console' } },
        egress: [{ to: processes, ports: [{ port: 9464 }] }, { ports: [{ port: 9090 }] }],
      });
      expect(policyOf('metrics-for-console').spec).toMatchObject({
        podSelector: processes[0]?.podSelector,
        ingress: [
          { from: [{ podSelector: { matchLabels: { [NAME]: 'console' } } }], ports: [{ port: 9464 }] },
        ],
      });
    });

    it('open arbitrary addresses only to auth, for its mail server', () => {
      const anywhere = policies.filter(({ spec }) => spec.egress?.some(({ to }) => to === undefined));
      expect(anywhere.map(({ metadata }) => metadata.name)).toEqual(['mail']);
    });

    it('allow the calls of the platform’s other services in the table', () => {
      const theirs = policies.filter(({ spec }) =>
        spec.ingress?.some(({ from = [] }) =>
          from.some(({ namespaceSelector }) => namespaceSelector?.matchLabels?.[PLATFORM] === 'true'),
        ),
      );
      const allowed = CALLS.filter(({ from }) => from === 'platform').map(({ to }) => to);
      expect(theirs.map(({ metadata }) => metadata.name).sort()).toEqual([...new Set(allowed)].sort());
    });

    it('open only Envoy to the outside, and every process to Prometheus', () => {
      const open = policies.filter(({ spec }) => spec.ingress?.some(({ from }) => from === undefined));
      expect(open.map(({ metadata }) => metadata.name)).toEqual(['envoy']);
      const monitoring = policies.filter(({ spec }) =>
        spec.ingress?.some(({ from = [] }) =>
          from.some(({ namespaceSelector }) => namespaceSelector?.matchLabels?.[NAMESPACE] === 'monitoring'),
        ),
      );
      expect(monitoring.map(({ spec }) => spec)).toMatchObject([
        { podSelector: {}, ingress: [{ ports: [{ port: 9464 }] }] },
      ]);
    });
  },
);

const isOurs = (name: string): boolean => WITH_PODS.some((one) => one === name);

/** The names, or the component, that a policy selects. */
function selectedBy({ matchLabels = {}, matchExpressions = [] }: Selector): string[] {
  return [...Object.values(matchLabels), ...matchExpressions.flatMap(({ values = [] }) => values)];
}

function namesIn(rules: readonly (readonly PolicyPeer[] | undefined)[] = []): string[] {
  return rules.flatMap((peers = []) =>
    peers.flatMap(({ podSelector, namespaceSelector }) => {
      const name = podSelector?.matchLabels?.[NAME];
      return name === undefined || namespaceSelector !== undefined ? [] : [name];
    }),
  );
}
