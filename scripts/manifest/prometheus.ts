import { SERVICE_NAMES } from '@gatehouse/proto/services';
import { withBlock } from './block.ts';
import { concatenate } from './text.ts';

/** deploy/observability/prometheus.yml with a job for each service. */
export function withScrapeJobs(configuration: string): string {
  return withBlock(configuration, 'services', concatenate(SERVICE_NAMES.map(JOB)));
}

const JOB = (name: string): string => `\
- job_name: ${name}
  dns_sd_configs: [{ names: [${name}], type: A, port: 9464, refresh_interval: 15s }]
`;
