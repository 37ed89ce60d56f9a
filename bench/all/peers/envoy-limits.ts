import reference from '@gatehouse/proto/buckets.json' with { type: 'json' };

export const ENVOY_DOMAIN = 'gatehouse';

/** The buckets that each request charges, as limits of Envoy's protocol. */
export const LIMITS = [
  { bucket: 'global', key: 'client', unit: 'second' },
  { bucket: 'webhook:execute', key: 'webhook', unit: 'minute' },
] as const satisfies readonly { bucket: keyof typeof reference; key: string; unit: keyof typeof UNITS }[];

const UNITS = { second: 1, minute: 60 } as const;

/** The configuration of envoyproxy/ratelimit: the same limits as the reference. */
export function envoyConfiguration(): string {
  const descriptors = LIMITS.map(({ bucket, key, unit }) => {
    const { limit, window_seconds } = reference[bucket];
    if (window_seconds !== UNITS[unit]) throw new Error(`the window of ${bucket} is not a ${unit}`);
    return [
      '  - key: bucket',
      `    value: "${bucket}"`,
      '    descriptors:',
      `      - key: ${key}`,
      `        rate_limit: { unit: ${unit}, requests_per_unit: ${limit} }`,
    ];
  });
  return [`domain: ${ENVOY_DOMAIN}`, 'descriptors:', ...descriptors.flat(), ''].join('\n');
}

/** Requests of ShouldRateLimit, each of another client and webhook. */
export function envoyRequests(count: number): unknown[] {
  return Array.from({ length: count }, (_, n) => ({
    domain: ENVOY_DOMAIN,
    descriptors: LIMITS.map(({ bucket, key }) => ({
      entries: [
        { key: 'bucket', value: bucket },
        { key, value: `${key}:${n}` },
      ],
    })),
  }));
}
