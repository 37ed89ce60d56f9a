import {
  type ConfigMap,
  type Container,
  type KubernetesObject,
  type Labels,
  ofKind,
  type SecretKey,
  type Selector,
  selects,
  type Volume,
  type Workload,
  workloadsOf,
} from './objects.ts';

/** The unresolved references of objects, each with its object. For secrets see `secretKeysOf`. */
export function danglingReferences(objects: readonly KubernetesObject[]): string[] {
  const workloads = workloadsOf(objects);
  return [
    ...workloads.flatMap((workload) => inPod(workload, ofKind(objects, 'ConfigMap'))),
    ...ofKind(objects, 'Service').flatMap(({ metadata, spec }) => {
      const selected = workloads.filter((one) => selects({ matchLabels: spec.selector }, labelsOf(one)));
      if (selected.length !== 1) return [`Service ${metadata.name} selects ${selected.length} workloads`];
      const names = selected.flatMap(containersOf).flatMap(({ ports = [] }) => ports.map(({ name }) => name));
      return spec.ports
        .filter(({ targetPort }) => !names.includes(targetPort))
        .map(({ targetPort }) => `Service ${metadata.name}: no port ${targetPort}`);
    }),
    ...ofKind(objects, 'PodDisruptionBudget').flatMap(({ metadata, spec }) =>
      selectsOne(`PodDisruptionBudget ${metadata.name}`, spec.selector, workloads),
    ),
    ...ofKind(objects, 'HorizontalPodAutoscaler').flatMap(({ metadata, spec: { scaleTargetRef } }) =>
      workloads.some(
        ({ kind, metadata: { name } }) => kind === scaleTargetRef.kind && name === scaleTargetRef.name,
      )
        ? []
        : [`HorizontalPodAutoscaler ${metadata.name}: no ${scaleTargetRef.kind} ${scaleTargetRef.name}`],
    ),
    ...ofKind(objects, 'NetworkPolicy').flatMap(({ metadata, spec }) => {
      const rules = [
        ...(spec.ingress ?? []).map(({ from }) => from),
        ...(spec.egress ?? []).map(({ to }) => to),
      ];
      const here = rules.flatMap((peers = []) =>
        peers.filter((peer) => peer.namespaceSelector === undefined),
      );
      const selectors = [spec.podSelector, ...here.flatMap(({ podSelector = [] }) => podSelector)];
      return selectors
        .filter((selector) => !workloads.some((one) => selects(selector, labelsOf(one))))
        .map((selector) => `NetworkPolicy ${metadata.name} selects nothing by ${JSON.stringify(selector)}`);
    }),
  ];
}

/** Every key of a secret that pods use. A volume of a whole secret contains certificates. */
export function secretKeysOf(objects: readonly KubernetesObject[]): Required<SecretKey>[] {
  const keys = workloadsOf(objects).flatMap((workload) => [
    ...containersOf(workload).flatMap(({ env = [] }) =>
      env.flatMap((one) => one.valueFrom?.secretKeyRef ?? []),
    ),
    ...volumesOf(workload).flatMap(secretKeysOfVolume),
  ]);
  return keys.map(({ name, key, optional = false }) => ({ name, key, optional }));
}

function secretKeysOfVolume({ secret, projected }: Volume): SecretKey[] {
  const whole = secret === undefined ? [] : ['tls.crt', 'tls.key', 'ca.crt'];
  return [
    ...whole.map((key) => ({ name: secret?.secretName ?? '', key })),
    ...(projected?.sources ?? []).flatMap(({ secret: { name, items } }) =>
      items.map(({ key }) => ({ name, key })),
    ),
  ];
}

function inPod(workload: Workload, configMaps: readonly ConfigMap[]): string[] {
  const who = `${workload.kind} ${workload.metadata.name}`;
  const has = (name: string) => configMaps.some(({ metadata }) => metadata.name === name);
  const volumes = volumesOf(workload);
  const claims = workload.spec.volumeClaimTemplates ?? [];
  const volumeNames = [...volumes, ...claims.map(({ metadata }) => metadata)].map(({ name }) => name);
  const mounts = containersOf(workload).flatMap(({ volumeMounts = [] }) =>
    volumeMounts.map(({ name }) => name),
  );
  const maps = [
    ...containersOf(workload).flatMap(({ envFrom = [] }) =>
      envFrom.map(({ configMapRef }) => configMapRef.name),
    ),
    ...volumes.flatMap(({ configMap }) => configMap?.name ?? []),
  ];
  const { selector } = workload.spec;
  return [
    ...maps.filter((name) => !has(name)).map((name) => `${who}: no ConfigMap ${name}`),
    ...mounts.filter((name) => !volumeNames.includes(name)).map((name) => `${who}: no volume ${name}`),
    ...volumeNames.filter((name) => !mounts.includes(name)).map((name) => `${who}: nothing mounts ${name}`),
    ...containersOf(workload).flatMap((container) => portsNotThere(who, container)),
    ...(selector === undefined || selects(selector, labelsOf(workload))
      ? []
      : [`${who} does not select its pods`]),
  ];
}

function portsNotThere(who: string, container: Container): string[] {
  const { ports = [], startupProbe, livenessProbe, readinessProbe } = container;
  const probes = [startupProbe, livenessProbe, readinessProbe].flatMap((probe) => probe ?? []);
  return probes
    .flatMap(({ httpGet, tcpSocket }) => httpGet?.port ?? tcpSocket?.port ?? [])
    .filter((port) => !ports.some(({ name }) => name === port))
    .map((port) => `${who}: a probe of port ${port}, which is not there`);
}

function selectsOne(who: string, selector: Selector, workloads: readonly Workload[]): string[] {
  const count = workloads.filter((one) => selects(selector, labelsOf(one))).length;
  return count === 1 ? [] : [`${who} selects ${count} workloads`];
}

function labelsOf({ spec }: Workload): Labels {
  return spec.template.metadata.labels;
}

export function containersOf({ spec }: Workload): readonly Container[] {
  return spec.template.spec.containers;
}

function volumesOf({ spec }: Workload): readonly Volume[] {
  return spec.template.spec.volumes ?? [];
}
