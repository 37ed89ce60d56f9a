import { statSync } from 'node:fs';
import type { EnvReader } from '@gatehouse/kit/env';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import type { MetricsTarget } from './metrics/targets.ts';

/** Where the console finds metrics and logs. */
export interface MonitoringConfig {
  /** Empty: no metrics are read. */
  readonly metrics: readonly MetricsTarget[];
  readonly prometheus_url: string | undefined;
  /** A folder with the logs of the processes. */
  readonly log_dir: string | undefined;
  /** A URL with `{request_id}`. */
  readonly log_url: string | undefined;
}

export function readMonitoring(read: EnvReader): MonitoringConfig {
  return {
    metrics: readMetrics(read),
    prometheus_url: read.optionalUrl('PROMETHEUS_URL', {
      about: 'a Prometheus that scrapes these processes, for the overview’s windows of more than an hour',
      protocols: ['http', 'https'],
      unset: 'the last hour only',
      example: 'http://127.0.0.1:9090',
    }),
    log_dir: readLogDir(read),
    log_url: readLogUrl(read),
  };
}

const TARGET = /^([a-z0-9-]+)=((?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5}))$/i;
const MAX_PORT = 65_535;

function readMetrics(read: EnvReader): MetricsTarget[] {
  const text = read.optionalText('CONSOLE_METRICS', {
    about:
      'where the processes serve metrics (METRICS_LISTEN), for the overview: service=host:port, separated by commas; a name stands for all its addresses. `npm start` sets it',
    unset: 'the overview has no plots',
    example: 'gateway=127.0.0.1:9464,auth=127.0.0.1:9466',
  });
  const known: readonly string[] = SERVICE_NAMES;
  const targets = (text ?? '').split(/[\s,]+/).filter((target) => target !== '');
  return targets.flatMap((target) => {
    const [, service = '', address = '', port] = TARGET.exec(target) ?? [];
    if (known.includes(service) && Number(port) >= 1 && Number(port) <= MAX_PORT)
      return [{ service, address }];
    read.problem(`CONSOLE_METRICS: ${target} is not service=host:port; services are ${known.join(', ')}`);
    return [];
  });
}

function readLogDir(read: EnvReader): string | undefined {
  const dir = read.optionalText('CONSOLE_LOG_DIR', {
    about:
      'a folder with the logs of the processes, NAME.log with JSON lines, in which the console finds the lines of a request. `npm start` sets it',
    unset: 'no log is searched',
    example: '/var/log/gatehouse',
  });
  // It may be made later.
  if (dir !== undefined && statSync(dir, { throwIfNoEntry: false })?.isDirectory() === false)
    read.problem(`CONSOLE_LOG_DIR: ${dir} is not a folder`);
  return dir;
}

const LOG_URL = /^https?:\/\/[^/?#{}\\]+[/?#].*\{request_id\}/;

function readLogUrl(read: EnvReader): string | undefined {
  const url = read.optionalText('CONSOLE_LOG_URL', {
    about: 'the page of a log system with the lines of a request, whose ID takes the place of `{request_id}`',
    unset: 'no link',
    example: 'https://logs.example.com/search?q={request_id}',
  });
  if (url === undefined) return undefined;
  if (!LOG_URL.test(url) || URL.parse(url) === null)
    read.problem('CONSOLE_LOG_URL must be a URL of http or https with {request_id} after its host');
  return url;
}
