import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';

export type Peer = Pick<Client<typeof AuthServiceDefinition>, 'listSecurityEvents' | 'reencrypt'>;
/** Longer than any statement. */
export const PATIENCE = { timeoutMs: 15_000 };
/** Events per answer. */
export const MAX_PAGE = 1000;
