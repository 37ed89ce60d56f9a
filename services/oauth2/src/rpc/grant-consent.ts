import { requireAccount } from '@gatehouse/kit/caller';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { GrantConsentRequest, GrantConsentResponse } from '@gatehouse/proto/oauth2';
import { callback } from '../authorization/callback.ts';
import { type Consent, readConsent } from '../authorization/consent.ts';
import { credentialHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidClient } from '../errors.ts';
import { deleteCode, insertCode } from '../store/insert-code.ts';

const INSTALL_TIMEOUT_MS = 5_000;

export function grantConsent(deps: Deps): Handler<GrantConsentRequest, GrantConsentResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const consent = await readConsent(deps, request, account_id);
    const { application, scopes, redirect_uri, challenge } = consent;
    const code = newSecret();
    const code_hash = credentialHash(code);
    const stored = { code_hash, application_id: application.id, account_id, scopes, redirect_uri, challenge };
    if (!(await insertCode(deps.db, stored))) throw invalidClient();
    try {
      await install(deps, request, consent, call);
    } catch (error) {
      await deleteCode(deps.db, code_hash);
      throw error;
    }
    return { redirect_to: callback(redirect_uri, { code, state: request.state }) };
  };
}

/** Without the scope `bot` a target is ignored, and without a target nothing is installed. */
async function install(
  { chat }: Deps,
  { guild_id, channel_id, reason }: GrantConsentRequest,
  { application, scopes, permissions }: Consent,
  call: Call,
): Promise<void> {
  if (!scopes.includes('bot') || (guild_id == null && channel_id == null)) return;
  const { id: bot_id, name: application_name } = application;
  await chat.installBot(
    { bot_id, application_name, guild_id, channel_id, permissions, reason },
    { within: call, timeoutMs: INSTALL_TIMEOUT_MS },
  );
}
