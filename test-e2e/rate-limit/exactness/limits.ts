export interface LimitRow {
  readonly limit: number;
  readonly window_seconds: number;
  readonly key: readonly string[];
  readonly policy?: 'open' | 'closed';
  readonly kind?: 'fixed_window' | 'concurrency';
}

const HOUR = 3600;
const key = ['account'];

/** The rules file of the replicas: each kind, with much and little traffic, and each failure policy. */
export const LIMITS = {
  'leaky:fast': { limit: 200, window_seconds: 1, key },
  'leaky:tiny': { limit: 2, window_seconds: 1, key },
  'leaky:slow': { limit: 300, window_seconds: HOUR, key },
  'fixed:second': { limit: 50, window_seconds: 1, key, kind: 'fixed_window' },
  'fixed:hour': { limit: 400, window_seconds: HOUR, key, kind: 'fixed_window' },
  'lease:short': { limit: 5, window_seconds: 1, key, kind: 'concurrency' },
  'lease:long': { limit: 40, window_seconds: HOUR, key, kind: 'concurrency' },
  'open:one': { limit: 1, window_seconds: HOUR, key, policy: 'open' },
  'closed:many': { limit: 1_000_000, window_seconds: 60, key, policy: 'closed' },
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof LIMITS;

export function limitOf(name: LimitName): LimitRow {
  return LIMITS[name];
}
