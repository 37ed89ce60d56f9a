import { credentialHash } from '../credentials.ts';
import type { TokenForm } from './token-form.ts';

/** The client credentials of a request. An absent one is undefined. */
export interface ClientCredentials {
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
}

/**
 * Reads form parameters and HTTP Basic. A form parameter overrides that of the header
 * (docs/oauth2.md#client-authentication).
 */
export function clientCredentials(
  form: TokenForm,
  authorization: string | null | undefined,
): ClientCredentials {
  const basic = readBasic(authorization);
  return {
    client_id: form.get('client_id') ?? basic?.client_id,
    client_secret: form.get('client_secret') ?? basic?.client_secret,
  };
}

/** The hash of the client secret of a request, in hex; null without one. */
export function presentedHash({ client_secret }: ClientCredentials): string | null {
  return client_secret === undefined ? null : credentialHash(client_secret);
}

/** A malformed header counts as absent. User and password are percent-decoded (RFC 6749 §2.3.1). */
export function readBasic(header: string | null | undefined): ClientCredentials | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  try {
    return {
      client_id: decodeFormText(text.slice(0, colon)) || undefined,
      client_secret: decodeFormText(text.slice(colon + 1)) || undefined,
    };
  } catch {
    return undefined;
  }
}

/** @throws URIError for a stray percent sign */
function decodeFormText(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
