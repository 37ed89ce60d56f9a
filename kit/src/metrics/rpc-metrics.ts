import { Counter, type Registry } from 'prom-client';
import { type Status, statusName } from '../fault.ts';
import { durations, type Observe } from './durations.ts';

/** Metrics of RPCs by path, "/package.Service/Method". */
export interface RpcMetrics {
  /** Observes the duration of an RPC that this process answered. */
  readonly observeServed: (path: string, status: Status, ms: number) => void;
  /** Counts a failed RPC to another process. */
  readonly countFailed: (path: string, status: Status) => void;
}

/** Adds the metrics of this process's RPCs. */
export function rpcMetrics(registry: Registry): RpcMetrics {
  const observer = durations(registry, {
    name: 'rpc_server_duration_seconds',
    help: 'Duration of RPCs that this process answered, by service, method and gRPC status',
    labels: ['service', 'method', 'code'],
  });
  const failures = new Counter({
    name: 'rpc_client_failures_total',
    help: 'Failed RPCs to other processes, by service, method and gRPC status',
    labelNames: ['service', 'method', 'code'],
    registers: [registry],
  });
  const observers = new Map<string, Observe[]>();

  function observerFor(path: string, status: Status): Observe {
    let byStatus = observers.get(path);
    if (byStatus === undefined) {
      byStatus = [];
      observers.set(path, byStatus);
    }
    const observe = byStatus[status] ?? observer(labelsOf(path, status));
    byStatus[status] = observe;
    return observe;
  }

  return {
    observeServed: (path, status, ms) => observerFor(path, status)(ms),
    countFailed: (path, status) => failures.inc(labelsOf(path, status)),
  };
}

/** @param path "/package.Service/Method" */
function labelsOf(path: string, status: Status): { service: string; method: string; code: string } {
  const [, service = '', method = ''] = path.split('/');
  return { service, method, code: statusName(status) };
}
