import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { GetBotPresenceRequest, GetBotPresenceResponse } from '@gatehouse/proto/oauth2';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';

const PRESENCE_TIMEOUT_MS = 1_500;

export function getBotPresence(deps: Deps): Handler<GetBotPresenceRequest, GetBotPresenceResponse> {
  return async ({ application_id }, call) => {
    const { id } = await requireOwnedApplication(deps.prisma, application_id, call);
    const isOnline = await findPresence(deps, id, call);
    if (isOnline === undefined) return { status: 'unknown' };
    return { status: isOnline ? 'online' : 'offline' };
  };
}

/** Undefined if realtime does not answer, or not all of its replicas. */
async function findPresence(
  { realtime }: Deps,
  account_id: string,
  parent: Call,
): Promise<boolean | undefined> {
  try {
    const options = { timeoutMs: PRESENCE_TIMEOUT_MS, parent };
    return (await realtime.getPresence({ account_id }, options)).online ?? undefined;
  } catch (error) {
    parent.log.info({ err: error }, 'the presence of a bot is unknown');
    return undefined;
  }
}
