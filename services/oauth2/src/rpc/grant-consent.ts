import { requireAccount } from '@gatehouse/kit/caller';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { GrantConsentRequest, GrantConsentResponse } from '@gatehouse/proto/oauth2';
import { callbackUri } from '../authorization/callback-uri.ts';
import { type Consent, readConsent } from '../authorization/consent.ts';
import { issueCode } from '../authorization/issue-code.ts';
import { stateOf } from '../authorization/state.ts';
import type { Deps } from '../deps.ts';
import { invalidClient, notABotApplication } from '../errors.ts';
import { findApplication } from '../store/applications.ts';
import { userExists } from '../users.ts';

const INSTALL_TIMEOUT_MS = 5_000;
const REMOVE_TIMEOUT_MS = 2_500;

export function grantConsent(deps: Deps): Handler<GrantConsentRequest, GrantConsentResponse> {
  return async (request, call) => {
    const begun_ms = performance.now();
    const account_id = requireAccount(call.caller);
    const consent = await readConsent(deps, request, account_id);
    const code = await issueCode(deps, consent, account_id, call, begun_ms, () =>
      install(deps, request, consent, call),
    );
    const state = stateOf(request);
    return { redirect_to: callbackUri(consent.redirect_uri, { code, state, iss: deps.iss }) };
  };
}

/** Without the scope `bot` the target is ignored, and without a target nothing is installed. */
async function install(
  { prisma, auth, chat }: Deps,
  { guild_id, channel_id, reason }: GrantConsentRequest,
  { application, scopes, permissions }: Consent,
  call: Call,
): Promise<void> {
  if (!scopes.includes('bot') || (guild_id == null && channel_id == null)) return;
  const { id: bot_id, name: application_name } = application;
  // Chat does not check that this is the ID of an account.
  if (!(await userExists(auth, bot_id, call))) throw notABotApplication();
  await chat.installBot(
    { bot_id, application_name, guild_id, channel_id, permissions, reason },
    { parent: call, timeoutMs: INSTALL_TIMEOUT_MS },
  );
  // A concurrent deletion of the application may have removed its bot from chat before this installation.
  if ((await findApplication(prisma, bot_id)) !== undefined) return;
  await chat.removeBot({ bot_id }, { timeoutMs: REMOVE_TIMEOUT_MS });
  throw invalidClient();
}
