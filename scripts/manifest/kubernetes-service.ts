import { CALLS, type PeerName } from '@gatehouse/proto/peers';
import { SERVICE_NAMES, type ServiceName, serviceNamed } from '@gatehouse/proto/services';
import { concatenate, GENERATED } from './text.ts';

/** deploy/k8s/base/NAME.yaml: all objects of one service. deploy/k8s/base/patches changes single ones. */
export function kubernetesService(name: ServiceName): string {
  return concatenate([
    `${GENERATED}\n`,
    [
      deployment(name),
      headlessService(name),
      callsItself(name) ? peersService(name) : '',
      disruptionBudget(name),
      autoscaler(name),
      networkPolicy(name),
    ]
      .filter((object) => object !== '')
      .join('---\n'),
  ]);
}

function deployment(name: ServiceName): string {
  const { ports, pods } = serviceNamed(name);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: &labels
    app.kubernetes.io/name: ${name}
    app.kubernetes.io/component: process
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  template:
    metadata:
      labels: *labels
    spec:
      containers:
        - name: process
          image: gatehouse/${name}
          ports:
${concatenate(Object.entries(ports).map(([port, number]) => CONTAINER_PORT(port, number)))}\
${environment(name)}\
          resources:
            requests:
              cpu: "1"
              memory: ${pods.memory.request}
            limits:
              memory: ${pods.memory.limit}
      volumes:
        - name: tls
          secret:
            secretName: tls-${name}
            defaultMode: 0440
`;
}

export const CONTAINER_PORT = (port: string, number: number): string => `\
            - name: ${port}
              containerPort: ${number}
`;

/** Settings with the same value in every overlay. */
function environment(name: ServiceName): string {
  const { ports, max_heap_mib, database, secrets = [] } = serviceNamed(name);
  const variables = [
    ports.grpc === undefined ? '' : VARIABLE('LISTEN', `0.0.0.0:${ports.grpc}`),
    max_heap_mib === undefined ? '' : VARIABLE('NODE_OPTIONS', `--max-old-space-size=${max_heap_mib}`),
    ...[...(database === undefined ? [] : ['DATABASE_URL']), ...secrets].map((key) => SECRET(name, key)),
  ];
  return `          env:\n${concatenate(variables)}`;
}

export const VARIABLE = (variable: string, value: string): string => `\
            - name: ${variable}
              value: ${value}
`;

export const SECRET = (name: ServiceName, key: string, variable = key): string => `\
            - name: ${variable}
              valueFrom:
                secretKeyRef:
                  name: ${name}
                  key: ${key}
`;

/** Its name stands for the addresses of all ready replicas. Replicas find each other by another name. */
function headlessService(name: ServiceName): string {
  const [port, number] = Object.entries(serviceNamed(name).ports).at(-1) ?? [];
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: ${name}
spec:
  clusterIP: None
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - name: ${port}
      port: ${number}
      targetPort: ${port}
`;
}

function peersService(name: ServiceName): string {
  return `# Replicas also find each other while they drain.
apiVersion: v1
kind: Service
metadata:
  name: ${name}-peers
  labels:
    app.kubernetes.io/name: ${name}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - name: grpc
      port: ${serviceNamed(name).ports.grpc}
      targetPort: grpc
`;
}

export function disruptionBudget(name: string): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
`;
}

function autoscaler(name: ServiceName): string {
  return `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ${name}
  minReplicas: 2
  maxReplicas: ${serviceNamed(name).pods.max_replicas}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 60
`;
}

function networkPolicy(name: ServiceName): string {
  const { grpc } = serviceNamed(name).ports;
  const callers = unique(CALLS.filter(({ to }) => to === name).map(({ from }) => from)).filter(hasPods);
  const ingress = [
    clientsOf(name).length === 0 ? '' : RULE('from', clientsOf(name).map(POD), clientPort(name)),
    callers.length === 0 ? '' : RULE('from', callers.map(SOURCE), grpc),
  ].filter((rule) => rule !== '');
  const called = SERVICE_NAMES.filter((to) => CALLS.some((call) => call.from === name && call.to === to));
  const egress = [
    ...called.map((to) => RULE('to', [POD(to)], serviceNamed(to).ports.grpc)),
    ...SERVICE_NAMES.filter((to) => clientsOf(to).includes(name)).map((to) =>
      RULE('to', [POD(to)], clientPort(to)),
    ),
  ];
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  policyTypes: [Ingress, Egress]
${SECTION('ingress', ingress)}${SECTION('egress', egress)}`;
}

const SECTION = (direction: 'ingress' | 'egress', rules: readonly string[]): string =>
  rules.length === 0 ? '' : `  ${direction}:\n${concatenate(rules)}`;

/**
 * Envoy forwards requests to the edge, and WebSockets to their service by itself or through the edge. Operators reach the
 * pages of the console through the Kubernetes API.
 */
function clientsOf(name: ServiceName): PeerName[] {
  if (serviceNamed(name).ports.websocket !== undefined) return ['gateway', 'envoy'];
  return name === 'gateway' ? ['envoy'] : [];
}

function clientPort(name: ServiceName): number | undefined {
  const { http, websocket } = serviceNamed(name).ports;
  return websocket ?? http;
}

/** Operators come through the Kubernetes API, and the internal Envoy's component has its own policy. */
const hasPods = (peer: PeerName): boolean => !['operator', 'admin', 'envoy-internal'].includes(peer);

const callsItself = (name: ServiceName): boolean =>
  CALLS.some(({ from, to }) => from === name && to === name);

export const RULE = (
  direction: 'from' | 'to',
  peers: readonly string[],
  port: number | undefined,
): string => `\
    - ${direction}:
${concatenate(peers)}\
      ports:
        - port: ${port}
`;

export const POD = (peer: PeerName | 'runner'): string => `\
        - podSelector:
            matchLabels:
              app.kubernetes.io/name: ${peer}
`;

/** The platform's other services are in separate namespaces. */
export const SOURCE = (peer: PeerName): string =>
  peer === 'platform'
    ? `\
        - namespaceSelector:
            matchLabels:
              gatehouse.internal/platform: "true"
`
    : POD(peer);

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
