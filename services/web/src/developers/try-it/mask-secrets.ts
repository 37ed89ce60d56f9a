type Body = Readonly<Record<string, unknown>>;

/** Members whose values are credentials. `code` is one in a request; in a response it names an error. */
const SECRETS = {
  request: new Set([
    ...['client_secret', 'code', 'code_verifier', 'refresh_token', 'token'],
    'Authorization',
  ]),
  response: new Set(['access_token', 'refresh_token']),
};

/** Keeps the first characters of a credential: enough to distinguish two, and of no use to anyone. */
export function maskCredential(text: string): string {
  const [scheme, token] = text.startsWith('Bearer ') ? ['Bearer ', text.slice(7)] : ['', text];
  return `${scheme}${token.slice(0, token.length < 16 ? 0 : 4)}…`;
}

/** The members of a request or response, with its credentials masked. */
export function maskSecrets(kind: keyof typeof SECRETS, body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      isSecret(kind, name, value) ? maskCredential(value) : value,
    ]),
  );
}

export function hasSecrets(kind: keyof typeof SECRETS, body: Body): boolean {
  return Object.entries(body).some(([name, value]) => isSecret(kind, name, value));
}

function isSecret(kind: keyof typeof SECRETS, name: string, value: unknown): value is string {
  return SECRETS[kind].has(name) && typeof value === 'string';
}
