import type { Change } from './configuration.ts';

/** The changes described in deploy/envoy/README.md: the line before and after. */
export const ONE_TRUSTED_HOP: Change = ['xff_num_trusted_hops: 0', 'xff_num_trusted_hops: 1'];
export const RATELIMIT_ENABLED: Change = [
  'ratelimit.http_filter_enabled: 0',
  'ratelimit.http_filter_enabled: 100',
];
