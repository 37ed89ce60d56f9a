import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Clients } from '../clients.ts';
import type { MonitoringConfig } from '../monitoring-config.ts';
import { Collector } from './collector.ts';
import { noisyFinder } from './noisy.ts';
import type { OverviewParts } from './overview.ts';
import { openPrometheus } from './prometheus.ts';

/** Begins to read the metrics of the processes. */
export function openOverview(
  { log, resources }: Runtime,
  { metrics, prometheus_url }: MonitoringConfig,
  clients: Clients,
  listJobs: OverviewParts['listJobs'],
): OverviewParts {
  const collector = new Collector({ targets: metrics, log });
  resources.add('metrics of processes', collector.close);
  return {
    collector,
    hasMetrics: metrics.length > 0,
    prometheus: prometheus_url === undefined ? undefined : openPrometheus(prometheus_url, log),
    findNoisy: noisyFinder(clients, log),
    listJobs,
  };
}
