import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { rawState } from './state.ts';

const PARAMETERS = [
  'client_id',
  'scope',
  'response_type',
  'redirect_uri',
  'state',
  'prompt',
  'code_challenge',
  'code_challenge_method',
  'guild_id',
  'channel_id',
  'permissions',
  'disable_guild_select',
] as const;

/** The query of GET /oauth2/authorize. */
export interface AuthorizeQuery {
  /** Whether it has prompt=none. */
  readonly isSilent: boolean;
  /** Whether a parameter is repeated, which makes the request invalid (RFC 6749 §3.1). */
  readonly hasRepeatedParameter: boolean;
  /** The parameters of a consent. Empty and repeated ones are absent. */
  readonly request: GrantConsentRequest;
}

/** Reads a query (docs/oauth2.md#authorize-parameters). Unknown parameters are ignored. */
export function readAuthorizeQuery(query: string): AuthorizeQuery {
  // URLSearchParams drops a question mark, but only the first.
  const search = new URLSearchParams(`?${query}`);
  const parameter = (name: (typeof PARAMETERS)[number]) => {
    const values = search.getAll(name);
    return values.length > 1 ? undefined : values[0] || undefined;
  };
  return {
    isSilent: search.getAll('prompt').includes('none'),
    hasRepeatedParameter: PARAMETERS.some((name) => search.getAll(name).length > 1),
    request: {
      client_id: parameter('client_id'),
      scope: parameter('scope'),
      redirect_uri: parameter('redirect_uri'),
      raw_state: rawState(query),
      response_type: parameter('response_type'),
      code_challenge: parameter('code_challenge'),
      code_challenge_method: parameter('code_challenge_method'),
      guild_id: parameter('guild_id'),
      channel_id: parameter('channel_id'),
      permissions: parameter('permissions'),
    },
  };
}
