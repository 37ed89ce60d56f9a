/** Members whose values are credentials, wherever they come in a request or an answer. */
const SECRET = new Set([
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'code_verifier',
  'token',
  'Authorization',
]);

/** The first characters of a credential: enough to tell two apart, too little to use one. */
export function mask(text: string): string {
  const [scheme, token] = text.startsWith('Bearer ') ? ['Bearer ', text.slice(7)] : ['', text];
  return `${scheme}${token.slice(0, token.length < 16 ? 0 : 4)}…`;
}

/** A flat object with its credentials masked. */
export function masked(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      SECRET.has(name) && typeof value === 'string' ? mask(value) : value,
    ]),
  );
}

export function hasSecrets(body: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(body).some(([name, value]) => SECRET.has(name) && typeof value === 'string');
}
