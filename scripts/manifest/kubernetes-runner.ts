import { CALLS } from '@gatehouse/proto/peers';
import {
  DATABASE_SERVICES,
  ownVariable,
  SERVICE_NAMES,
  type ServiceName,
  serviceNamed,
} from '@gatehouse/proto/services';
import { withBlock } from './block.ts';
import { NEEDED_SECRETS } from './kubernetes.ts';
import {
  CONTAINER_PORT,
  disruptionBudget,
  POD,
  RULE,
  SECRET,
  SOURCE,
  VARIABLE,
} from './kubernetes-service.ts';
import { metricsTargets } from './metrics-targets.ts';
import { concatenate, GENERATED } from './text.ts';

const RUNNER = 'runner';
const METRICS = 9464;
const PORTS = SERVICE_NAMES.map((name) => [name, serviceNamed(name).ports] as const);
/** The edge's is the port `metrics` of every process; the others follow it. */
const FURTHER_METRICS = SERVICE_NAMES.slice(1).map((name, index) => [name, METRICS + 1 + index] as const);

/** deploy/k8s/runner/runner.yaml: processes of all services, and a Service for each name by which callers know one. */
export function kubernetesRunner(): string {
  const services = PORTS.map(([name, { http, grpc, websocket }]) => {
    const port = websocket ?? grpc ?? http ?? 0;
    return SERVICE(name, '', port === grpc ? grpcPort(port) : portName(name), port);
  });
  const peers = SERVICE_NAMES.filter(callsItself).map((name) => {
    const { grpc = 0 } = serviceNamed(name).ports;
    return SERVICE(`${name}-peers`, '  publishNotReadyAddresses: true\n', grpcPort(grpc), grpc);
  });
  return `${GENERATED}\n${[DEPLOYMENT, ...services, ...peers, disruptionBudget(RUNNER), POLICY].join('---\n')}`;
}

/** deploy/k8s/runner/migrate/job.yaml. */
export function runnerMigration(): string {
  // A process reads its settings before it migrates.
  const secrets = DATABASE_SERVICES.map((name) =>
    SECRET(name, 'DATABASE_URL', ownVariable(name, 'DATABASE_URL')),
  );
  const keys = DATABASE_SERVICES.flatMap((name) =>
    (NEEDED_SECRETS[name] ?? []).map((key) => SECRET(name, key)),
  );
  return `${GENERATED}
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate-${RUNNER}
  labels: &labels
    app.kubernetes.io/name: migrate-${RUNNER}
    app.kubernetes.io/component: migration
spec:
  template:
    metadata:
      labels: *labels
    spec:
      containers:
        - name: migrate
          image: gatehouse/${RUNNER}
          env:
${VARIABLE('SERVICES', DATABASE_SERVICES.join(','))}${concatenate(secrets)}${concatenate(keys)}`;
}

/** The PodMonitor with the metrics of a runner's further services. */
export function withMetricsEndpoints(monitor: string): string {
  return withBlock(monitor, 'services', concatenate(FURTHER_METRICS.map(ENDPOINT)));
}

const ENDPOINT = ([name, port]: readonly [name: string, port: number]): string => `\
- port: metrics-${port}
  path: /metrics
  relabelings: [{ targetLabel: job, replacement: ${name} }]
`;

const grpcPort = (port: number): string => `grpc-${port}`;
/** The name of the port that is not gRPC. */
const portName = (name: ServiceName): string => {
  const { http, websocket } = serviceNamed(name).ports;
  if (websocket !== undefined) return 'websocket';
  return name === 'gateway' ? 'http' : `http-${http}`;
};

function callsItself(name: ServiceName): boolean {
  return CALLS.some(({ from, to }) => from === name && to === name);
}

const secretsOf = (name: ServiceName): string[] => [
  ...(DATABASE_SERVICES.includes(name)
    ? [SECRET(name, 'DATABASE_URL', ownVariable(name, 'DATABASE_URL'))]
    : []),
  ...(serviceNamed(name).secrets ?? []).map((key) => SECRET(name, key)),
];

const containerPorts = [
  ...PORTS.flatMap(([name, { http, grpc, websocket }]) => [
    ...(http === undefined ? [] : [CONTAINER_PORT(portName(name), http)]),
    ...(grpc === undefined ? [] : [CONTAINER_PORT(grpcPort(grpc), grpc)]),
    ...(websocket === undefined ? [] : [CONTAINER_PORT(portName(name), websocket)]),
  ]),
  ...FURTHER_METRICS.map(([, port]) => CONTAINER_PORT(`metrics-${port}`, port)),
];

const CERTIFICATE = (name: ServiceName): string => `\
              - secret:
                  name: tls-${name}
                  items:
                    - key: tls.crt
                      path: ${name}.pem
                    - key: tls.key
                      path: ${name}-key.pem
`;

const DEPLOYMENT = `\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${RUNNER}
  labels: &labels
    app.kubernetes.io/name: ${RUNNER}
    app.kubernetes.io/component: process
spec:
  replicas: 2
  selector:
    matchLabels:
      app.kubernetes.io/name: ${RUNNER}
  template:
    metadata:
      labels: *labels
    spec:
      containers:
        - name: process
          image: gatehouse/${RUNNER}
          ports:
${concatenate(containerPorts)}\
          env:
${VARIABLE('SERVICES', SERVICE_NAMES.join(','))}\
${concatenate(
  PORTS.flatMap(([name, { grpc }]) =>
    grpc === undefined ? [] : [VARIABLE(ownVariable(name, 'LISTEN'), `0.0.0.0:${grpc}`)],
  ),
)}\
${VARIABLE('NODE_OPTIONS', '--max-old-space-size=1536')}\
${VARIABLE(
  'CONSOLE_METRICS',
  metricsTargets((index) => METRICS + index),
)}\
${concatenate(SERVICE_NAMES.flatMap(secretsOf))}\
          resources:
            requests:
              cpu: "1"
              memory: 2Gi
            limits:
              # The heap, a decoder of pictures (1 GiB), and bodies, answers and WebSockets outside of the heap.
              memory: 4Gi
      volumes:
        - name: tls
          projected:
            defaultMode: 0440
            sources:
${concatenate(SERVICE_NAMES.map(CERTIFICATE))}\
              - secret:
                  name: tls-${SERVICE_NAMES[0]}
                  items:
                    - key: ca.crt
                      path: ca.pem
`;

const SERVICE = (name: string, members: string, portName: string, port: number): string => `\
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: ${RUNNER}
spec:
  clusterIP: None
${members}\
  selector:
    app.kubernetes.io/name: ${RUNNER}
  ports:
    - name: ${portName}
      port: ${port}
      targetPort: ${portName}
`;

const OF_RUNNERS = SERVICE_NAMES.filter(callsItself).map((name) => serviceNamed(name).ports.grpc);
const WEBSOCKETS = PORTS.flatMap(([, { websocket }]) => websocket ?? []);
const LIMITS = serviceNamed('ratelimit').ports.grpc;

/** Services of one process call each other directly; realtime also calls its other replicas. */
const POLICY = `\
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${RUNNER}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: ${RUNNER}
  policyTypes: [Ingress, Egress]
  ingress:
${RULE('from', [POD('envoy')], serviceNamed('gateway').ports.http)}\
${RULE('from', [POD('envoy'), SOURCE('platform')], LIMITS)}\
${concatenate(WEBSOCKETS.map((port) => RULE('from', [POD(RUNNER), POD('envoy')], port)))}\
${concatenate(OF_RUNNERS.map((port) => RULE('from', [POD(RUNNER)], port)))}\
    # Metrics, for the console.
    - from:
${POD(RUNNER)}\
      ports:
        - port: ${METRICS}
          endPort: ${METRICS + FURTHER_METRICS.length}
    # Metrics of the further services.
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: monitoring
      ports:
        - port: ${METRICS + 1}
          endPort: ${METRICS + FURTHER_METRICS.length}
  egress:
${concatenate([...WEBSOCKETS, ...OF_RUNNERS].map((port) => RULE('to', [POD(RUNNER)], port)))}\
    - to:
${POD(RUNNER)}\
      ports:
        - port: ${METRICS}
          endPort: ${METRICS + FURTHER_METRICS.length}
    # PROMETHEUS_URL
    - to:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: monitoring
      ports:
        - port: 9090
`;
