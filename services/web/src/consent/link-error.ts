import { i18n } from '../shared/i18n/i18n.ts';
import { isId } from '../shared/id.ts';
import { readPermissions } from '../shared/permissions.ts';
import { type ConsentRequest, isForBotAlone } from './request.ts';

/** Why a link to this page does not work. */
export interface LinkError {
  /** For the user who followed the link. */
  readonly text: string;
  /** For the developer who made it. */
  readonly advice: string;
}

/**
 * Finds the first error of a request that needs no call to the server. Undefined if there is none. The texts quote
 * nothing from the link, because a link could otherwise make this page say anything.
 */
export function linkErrorOf(request: ConsentRequest): LinkError | undefined {
  const { parameters, repeated, unknownScopes, scopes } = request;
  const [duplicate] = repeated;
  if (duplicate)
    return linkError(
      i18n._('It contains a parameter twice.'),
      i18n._('{parameter} must be there once.', { parameter: duplicate }),
    );
  if (parameters.client_id === undefined)
    return linkError(
      i18n._('It does not say which application wants access.'),
      i18n._("client_id is missing: your application's ID."),
    );
  if (!isId(parameters.client_id)) return linkErrors().INVALID_CLIENT;
  if (unknownScopes.length > 0)
    return linkError(
      i18n._('It asks for something that this server does not know.'),
      i18n._('scope may have identify, email, guilds, connections and bot.'),
    );
  if (scopes.length === 0)
    return linkError(
      i18n._('It does not say what the application wants to do.'),
      i18n._('scope is missing.'),
    );
  return responseError(request) ?? installationError(request);
}

function responseError(request: ConsentRequest): LinkError | undefined {
  const { response_type, redirect_uri, code_challenge, code_challenge_method } = request.parameters;
  const isBotAlone = isForBotAlone(request);
  if (!isBotAlone && (response_type ?? 'code') !== 'code')
    return linkError(
      i18n._('It asks for a response that this server does not support.'),
      i18n._('response_type must be code.'),
    );
  if (!isBotAlone && redirect_uri === undefined) return linkErrors().MISSING_REDIRECT_URI;
  const method = code_challenge_method ?? 'plain';
  if (code_challenge === undefined && code_challenge_method !== undefined)
    return pkceError(i18n._('code_challenge_method needs a code_challenge.'));
  if (method !== 'S256' && method !== 'plain')
    return pkceError(i18n._('code_challenge_method must be S256 or plain.'));
  const format = method === 'S256' ? /^[\w.~-]{43,128}$/ : /^[\w.~-]{1,128}$/;
  if (code_challenge !== undefined && !format.test(code_challenge))
    return pkceError(i18n._('code_challenge must be 43 to 128 letters, digits and any of "-._~".'));
  return undefined;
}

function pkceError(advice: string): LinkError {
  return linkError(i18n._('The part that protects the response is invalid.'), advice);
}

function installationError({ parameters: { permissions, guild_id, channel_id } }: ConsentRequest) {
  if (permissions !== undefined && readPermissions(permissions) === undefined)
    return linkError(
      i18n._('The permissions that it asks for are invalid.'),
      i18n._('permissions must be a decimal number, 0 or greater.'),
    );
  if (guild_id !== undefined && channel_id !== undefined)
    return linkError(
      i18n._('It names both a guild and a group conversation.'),
      i18n._('guild_id and channel_id cannot be used together.'),
    );
  const named = guild_id ?? channel_id;
  if (named !== undefined && !isId(named))
    return linkError(
      i18n._('It names a place that cannot exist.'),
      i18n._('{parameter} must be an ID.', { parameter: guild_id === undefined ? 'channel_id' : 'guild_id' }),
    );
  return undefined;
}

function linkError(text: string, advice: string): LinkError {
  return { text, advice };
}

/** Link errors that the server reports, by code. */
export function linkErrors() {
  return {
    INVALID_CLIENT: linkError(
      i18n._('The application that wants access does not exist, or no longer does.'),
      i18n._("client_id must be your application's ID."),
    ),
    INVALID_SCOPE: linkError(
      i18n._('It asks for something that this server does not know.'),
      i18n._('Check its scope.'),
    ),
    MISSING_REDIRECT_URI: linkError(
      i18n._('It does not say where you would go back to.'),
      i18n._('redirect_uri is missing: one of those that your application has registered.'),
    ),
    INVALID_REDIRECT_URI: linkError(
      i18n._('It would lead to an address that the application has not registered. You were not sent there.'),
      i18n._('Register its redirect_uri, character by character, in the developer portal.'),
    ),
    FORBIDDEN: linkError(
      i18n._('This bot is private: only the owner of the application can add it.'),
      i18n._('Make the bot public in the developer portal.'),
    ),
  } satisfies Record<string, LinkError>;
}
