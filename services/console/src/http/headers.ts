/** The headers of every answer: nothing is framed, sniffed, kept, or loaded from elsewhere. */
const SECURITY_HEADERS = {
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
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=63072000' } as const;

/** @param is_tls whether the console serves HTTPS itself */
export function commonHeaders(is_tls: boolean): Readonly<Record<string, string>> {
  return is_tls ? { ...SECURITY_HEADERS, ...STRICT_TRANSPORT } : SECURITY_HEADERS;
}
