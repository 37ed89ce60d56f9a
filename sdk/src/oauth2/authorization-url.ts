/** What the user is asked for. */
export interface AuthorizationRequest {
  /** Exactly as it is registered. */
  readonly redirectUri: string;
  /** `identify`, `email`, `guilds`, `connections`, and `bot` to install the application's bot. */
  readonly scopes: readonly string[];
  /** `none`: no consent page, if the user granted every scope before. */
  readonly prompt?: 'none' | undefined;
  /** The guild that is selected for the bot. */
  readonly guildId?: string | undefined;
  /** The group DM that is selected for the bot. */
  readonly channelId?: string | undefined;
  /** The permissions that the bot asks for, a decimal integer. */
  readonly permissions?: string | undefined;
}

export function authorizationUrl(
  address: string,
  clientId: string,
  request: AuthorizationRequest,
  state: string,
  challenge: string,
): string {
  const { prompt, guildId, channelId, permissions } = request;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const optional = { prompt, guild_id: guildId, channel_id: channelId, permissions };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) query.set(name, value);
  return `${address}/oauth2/authorize?${query}`;
}
