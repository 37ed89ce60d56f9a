import type { Config } from '../config.ts';

/** A page of the web application with a token, in the fragment: no server is told it, and none logs it. */
export function mailLink(
  { web_app_url }: Pick<Config, 'web_app_url'>,
  page: 'verify' | 'reset' | 'authorize-ip',
  token: string,
): string {
  return `${web_app_url}/${page}#token=${token}`;
}
