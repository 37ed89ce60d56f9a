import { valueMetrics } from '@gatehouse/kit/metrics/value-metrics';
import type { RateLimits } from '@gatehouse/ratelimit-kit-client';
import { Counter, type Registry } from 'prom-client';

/** The edge's metrics of rate limits. Their only label is a bucket's name: keys identify people. */
export function limitMetrics(registry: Registry, limits: RateLimits): void {
  const { counts } = limits;
  const { gauge, counter } = valueMetrics(registry);

  counter('gateway_limit_checks_total', 'Requests that count against a bucket.', () => counts.checks);
  counter(
    'gateway_limit_remembered_total',
    'Checks denied from a remembered denial, without asking ratelimit.',
    () => counts.remembered,
  );
  counter(
    'gateway_limit_local_total',
    'Checks decided by the edge because ratelimit did not answer.',
    () => counts.local,
  );
  counter(
    'gateway_limit_degraded_total',
    'Checks decided by ratelimit without its store.',
    () => counts.degraded,
  );
  new Counter({
    name: 'gateway_limit_denials_total',
    help: 'Denials by bucket.',
    labelNames: ['bucket'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [bucket, count] of counts.denied) this.inc({ bucket }, count);
    },
  });
  gauge('gateway_limit_remembered_denials', 'Denials remembered now.', () => limits.remembered());
  gauge('gateway_limit_alone', '1 while the edge does not call ratelimit because it does not answer.', () =>
    Number(limits.isBreakerOpen()),
  );
}
