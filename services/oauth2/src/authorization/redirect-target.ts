import { invalidRedirectUri, missingRedirectUri } from '../errors.ts';
import type { Application } from '../store/application.ts';
import type { Scope } from '../tokens/scopes.ts';

/**
 * The URI to redirect to: a registered one, or the web app for a request of the bot alone.
 *
 * @throws MISSING_REDIRECT_URI, INVALID_REDIRECT_URI
 */
export function redirectTarget(
  application: Application,
  scopes: readonly Scope[],
  redirect_uri: string | null | undefined,
  web_app_url: string,
): string {
  if (redirect_uri != null && redirect_uri !== '') {
    if (!isRegistered(application, redirect_uri)) throw invalidRedirectUri();
    return redirect_uri;
  }
  const isBotAlone = scopes.length === 1 && scopes[0] === 'bot';
  if (!isBotAlone || application.bot_require_code_grant) throw missingRedirectUri();
  return web_app_url;
}

/** Whether exactly this string is registered for the application. */
export function isRegistered(application: Application | undefined, redirect_uri: string): boolean {
  return application?.redirect_uris.includes(redirect_uri) === true;
}
