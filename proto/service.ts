/** An entry of the manifest: how one service is started, called, deployed and monitored. */
export interface Service {
  /** Its workspace. */
  readonly folder: string;
  readonly owns: string;
  readonly ports: {
    /** gRPC, for callers and for operators' commands. */
    readonly grpc?: number;
    /** Requests that Envoy forwards. */
    readonly http?: number;
    /** WebSockets, from Envoy or through the edge. */
    readonly websocket?: number;
  };
  /** The contracts that it serves, with their callers. A call that is not here is denied. */
  readonly contracts: readonly Contract[];
  /** The range of worker IDs in its snowflakes, 0 to 1023. No two services share one. */
  readonly workers?: WorkerRange;
  /** Its own database, if it has one. */
  readonly database?: {
    /** The smallest pool with which it makes progress. */
    readonly min_connections: number;
  };
  /** Settings that no other process may see. */
  readonly secrets?: readonly string[];
  /** The limit of V8's old space. Default: 256. */
  readonly max_heap_mib?: number;
  /** In Kubernetes. */
  readonly pods: {
    readonly max_replicas: number;
    readonly memory: { readonly request: string; readonly limit: string };
  };
}

export interface WorkerRange {
  readonly from: number;
  readonly to: number;
}

/** A gRPC service and its callers. `D` is the generated definition: the compiler checks names against it. */
export interface Contract<D extends Definition = Definition> {
  readonly name: D['fullName'];
  readonly callers: readonly {
    readonly from: string;
    readonly rpcs: readonly D['methods'][keyof D['methods']]['name'][] | typeof ALL_OTHERS;
    readonly for: string;
    /** Whether these calls are made on behalf of callers; otherwise they are anonymous. */
    readonly acts_for_callers?: true;
  }[];
}

/** Every RPC of the contract that no other entry names. */
export const ALL_OTHERS = 'all others';

interface Definition {
  readonly fullName: string;
  readonly methods: { readonly [method: string]: { readonly name: string } };
}
