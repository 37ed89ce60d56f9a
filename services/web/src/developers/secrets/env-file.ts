/** The values of an application’s environment. An absent one is not known to the page. */
export interface Environment {
  readonly client_id: string;
  /** Null for a public client, which has none. */
  readonly client_secret?: string | null | undefined;
  readonly bot_token?: string | undefined;
  readonly base_url: string;
  readonly redirect_uri?: string | undefined;
}

/** A `.env` file, for `node --env-file`, dotenv and shells. A secret that is not known is a line to fill in. */
export function envFile({
  client_id,
  client_secret,
  bot_token,
  base_url,
  redirect_uri,
}: Environment): string {
  const lines = [
    line('GATEHOUSE_BASE_URL', base_url),
    line('GATEHOUSE_CLIENT_ID', client_id),
    ...(client_secret === null ? [] : [line('GATEHOUSE_CLIENT_SECRET', client_secret ?? '')]),
    ...(redirect_uri === undefined ? [] : [line('GATEHOUSE_REDIRECT_URI', redirect_uri)]),
    ...(bot_token === undefined ? [] : [line('GATEHOUSE_BOT_TOKEN', bot_token)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A value in quotes, unless it has only characters that mean nothing to any reader. */
function line(name: string, value: string): string {
  if (/^[A-Za-z0-9_.:/-]*$/.test(value)) return `${name}=${value}`;
  return `${name}=${value.includes("'") ? `"${value}"` : `'${value}'`}`;
}
