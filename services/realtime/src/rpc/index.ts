import type { Handlers } from '@gatehouse/kit/rpc';
import type { RealtimeServiceDefinition } from '@gatehouse/proto/realtime';
import type { Deps } from '../deps.ts';
import { acceptSessions } from './accept-sessions.ts';
import { getConnections } from './get-connections.ts';
import { getPresence } from './get-presence.ts';
import { prepareSessions } from './prepare-sessions.ts';
import { releaseSession } from './release-session.ts';

/** Every RPC of the service. */
export function realtimeHandlers(deps: Deps): Handlers<typeof RealtimeServiceDefinition> {
  return {
    releaseSession: releaseSession(deps),
    prepareSessions: prepareSessions(deps),
    acceptSessions: acceptSessions(deps),
    getPresence: getPresence(deps),
    getConnections: getConnections(deps),
  };
}
