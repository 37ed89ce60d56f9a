/** The headers of every answer: nothing is framed, sniffed, kept, or loaded from elsewhere. */
export const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Two years. */
export const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=63072000' } as const;
