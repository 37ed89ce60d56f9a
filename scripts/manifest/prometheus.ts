import { readFileSync } from 'node:fs';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';
import { concatenate, GENERATED } from './text.ts';

const CONFIGURATION = new URL('../../deploy/observability/prometheus.yml', import.meta.url);
const PORT = 9464;

/** deploy/observability/prometheus.yml with a job for each service. */
export function withScrapeJobs(configuration: string): string {
  return withBlock(configuration, 'services', concatenate(SERVICE_NAMES.map((name) => JOB(name, PORT))));
}

/** prometheus.small.yml: the same for processes of all services, where each service has its own port. */
export function smallPrometheus(): string {
  const jobs = SERVICE_NAMES.map((name, index) => JOB(name, PORT + index));
  const configuration = readFileSync(CONFIGURATION, 'utf8').replace(
    'compose.yaml beside',
    'compose.small.yaml beside',
  );
  return `${GENERATED}\n${withBlock(configuration, 'services', concatenate(jobs))}`;
}

const JOB = (name: string, port: number): string => `\
- job_name: ${name}
  dns_sd_configs: [{ names: [${name}], type: A, port: ${port}, refresh_interval: 15s }]
`;
