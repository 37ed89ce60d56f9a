import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { requireClientApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { invalidResponseType, privateBot, twoTargets } from '../errors.ts';
import type { Application } from '../store/application.ts';
import type { Challenge } from '../store/insert-code.ts';
import { readScopes, type Scope } from '../tokens/scopes.ts';
import { readBotPermissions } from './permissions.ts';
import { readChallenge } from './read-challenge.ts';
import { redirectTarget } from './redirect-target.ts';

/** A valid consent. */
export interface Consent {
  readonly application: Application;
  readonly scopes: readonly Scope[];
  readonly redirect_uri: string;
  readonly challenge: Challenge | undefined;
  /** A decimal number. */
  readonly permissions: string;
}

/**
 * Checks a consent, in the order of docs/oauth2.md#consent-checks.
 *
 * @throws the error of the first check that fails
 */
export async function readConsent(
  { db, web_app_url, hardening }: Pick<Deps, 'db' | 'web_app_url' | 'hardening'>,
  request: GrantConsentRequest,
  account_id: string,
): Promise<Consent> {
  if (request.guild_id != null && request.channel_id != null) throw twoTargets();
  const permissions = readBotPermissions(request.permissions);
  const application = await requireClientApplication(db, request.client_id);
  const scopes = readScopes(request.scope);
  const isForUser = scopes.some((scope) => scope !== 'bot');
  if (isForUser && (request.response_type ?? 'code') !== 'code') throw invalidResponseType();
  if (scopes.includes('bot') && !application.bot_public && application.owner_id !== account_id)
    throw privateBot();
  const redirect_uri = redirectTarget(application, scopes, request.redirect_uri, web_app_url);
  const challenge = readChallenge(request, application.public || hardening.require_s256);
  return { application, scopes, redirect_uri, challenge, permissions };
}
