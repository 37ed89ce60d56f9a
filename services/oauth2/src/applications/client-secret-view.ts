import type { ClientSecret as ClientSecretView } from '@gatehouse/proto/oauth2';
import type { ClientSecret } from '../store/client-secrets.ts';

/** A client secret as shown to the owner (docs/oauth2.md#client-secrets); with its value only when it is created. */
export function clientSecretView(
  { id, hint, created_at, last_used_at }: ClientSecret,
  client_secret?: string,
): ClientSecretView {
  return {
    id,
    hint,
    created_at: created_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    client_secret,
  };
}
