import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';

export type Peer = Pick<Client<typeof AuthServiceDefinition>, 'listSecurityEvents' | 'reencrypt'>;
/** Longer than a statement may take. */
export const PATIENCE = { timeoutMs: 15_000 };
/** Events in an answer. */
export const MAX_PAGE = 1000;
