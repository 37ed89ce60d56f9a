import type { Handler } from '@gatehouse/kit/rpc';
import type { GetInstallationsRequest, GetInstallationsResponse } from '@gatehouse/proto/oauth2';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';
import { findGrants } from '../store/grants.ts';

const COUNT_TIMEOUT_MS = 2_000;

export function getInstallations({
  db,
  prisma,
  chat,
}: Deps): Handler<GetInstallationsRequest, GetInstallationsResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(prisma, application_id, call);
    const [{ guilds }, { has_code, has_token }] = await Promise.all([
      chat.countBotGuilds({ bot_id: id }, { timeoutMs: COUNT_TIMEOUT_MS, parent: call }),
      findGrants(db, id),
    ]);
    return { guild_count: guilds, has_authorizations: has_code || has_token, has_tokens: has_token };
  };
}
