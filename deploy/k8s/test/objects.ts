/** The members of Kubernetes' objects that these tests read. The schemas guarantee their types. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
  };
}

export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

/** A Deployment, a StatefulSet or a Job. */
export interface Workload extends KubernetesObject {
  readonly spec: {
    readonly selector?: Selector;
    readonly strategy?: unknown;
    readonly minReadySeconds?: number;
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly topologySpreadConstraints?: readonly unknown[];
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: unknown;
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly exec?: { readonly command: readonly string[] } } };
  readonly securityContext?: unknown;
  readonly resources?: unknown;
  readonly volumeMounts?: readonly { readonly name: string }[];
}

export interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: SecretKey };
}

export interface SecretKey {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number | string };
  readonly tcpSocket?: { readonly port: number | string };
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: unknown;
  readonly configMap?: { readonly name: string };
  readonly secret?: { readonly secretName: string };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret: { readonly name: string; readonly items: readonly { readonly key: string }[] };
    }[];
  };
}

export interface ConfigMap extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

export interface Service extends KubernetesObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly selector: Labels;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  };
}

export interface Autoscaler extends KubernetesObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly metrics: unknown;
    readonly behavior?: { readonly scaleDown: { readonly policies: unknown } };
  };
}

export interface DisruptionBudget extends KubernetesObject {
  readonly spec: { readonly selector: Selector };
}

export interface NetworkPolicy extends KubernetesObject {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly {
      readonly from?: readonly PolicyPeer[];
      readonly ports: readonly PolicyPort[];
    }[];
    readonly egress?: readonly {
      readonly to?: readonly PolicyPeer[];
      readonly ports: readonly PolicyPort[];
    }[];
  };
}

export interface PolicyPeer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: unknown;
}

export interface PolicyPort {
  readonly port: number;
}

interface Kinds {
  readonly ConfigMap: ConfigMap;
  readonly Deployment: Workload;
  readonly HorizontalPodAutoscaler: Autoscaler;
  readonly Job: Workload;
  readonly NetworkPolicy: NetworkPolicy;
  readonly PodDisruptionBudget: DisruptionBudget;
  readonly Service: Service;
  readonly StatefulSet: Workload;
}

export function ofKind<K extends keyof Kinds>(objects: readonly KubernetesObject[], kind: K): Kinds[K][] {
  // Narrows the type by the kind.
  return objects.filter((object) => object.kind === kind) as Kinds[K][];
}

/** All objects that create pods. */
export function workloadsOf(objects: readonly KubernetesObject[]): Workload[] {
  return (['Deployment', 'StatefulSet', 'Job'] as const).flatMap((kind) => ofKind(objects, kind));
}

/** Whether a selector matches these labels. Supports only the operators used here. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator !== 'In') throw new Error(`the tests do not know the operator ${operator}`);
      return values.includes(labels[key] ?? '');
    })
  );
}
