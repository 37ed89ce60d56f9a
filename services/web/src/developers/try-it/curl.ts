import type { TryRequest } from './try-requests.ts';

/** Shell variables for credentials. */
const VARIABLES: Readonly<Record<string, string>> = {
  client_secret: '$CLIENT_SECRET',
  code: '$CODE',
  code_verifier: '$CODE_VERIFIER',
  refresh_token: '$REFRESH_TOKEN',
};

/** A request as a shell command. It contains no credential. */
export function curlCommand(origin: string, { path, form, access_token }: TryRequest): string {
  const lines = [`curl "${origin}/api/v1${path}"`];
  if (access_token !== undefined) lines.push('-H "Authorization: Bearer $ACCESS_TOKEN"');
  for (const [name, value] of Object.entries(form ?? {}))
    lines.push(`--data-urlencode "${name}=${VARIABLES[name] ?? tokenVariable(name, form) ?? quoted(value)}"`);
  return lines.join(' \\\n  ');
}

function tokenVariable(name: string, form: TryRequest['form']): string | undefined {
  if (name !== 'token') return undefined;
  return form?.token_type_hint === 'refresh_token' ? '$REFRESH_TOKEN' : '$ACCESS_TOKEN';
}

/** Four characters are special inside double quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll(/[\\"$`]/g, '\\$&');
}
