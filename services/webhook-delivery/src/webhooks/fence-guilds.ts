import type { Call } from '@gatehouse/kit/rpc';
import type { Deps } from '../deps.ts';

/** Guilds of one call. */
export const MAX_FENCED = 100;

const FENCE_TIMEOUT_MS = 5_000;

/**
 * Has chat refuse the messages of webhooks in these guilds whose credential was checked before the fence. Call it after
 * the commit that raised the fence, and before the answer.
 *
 * @throws SERVICE_UNAVAILABLE and GATEWAY_TIMEOUT: messages of executions under way may still be posted
 */
export async function fenceGuilds(
  { chat }: Pick<Deps, 'chat'>,
  guildIds: readonly string[],
  fence: number,
  call: Call,
): Promise<void> {
  if (guildIds.length === 0) return;
  await chat.fenceWebhooks({ guild_ids: guildIds, fence }, { parent: call, timeoutMs: FENCE_TIMEOUT_MS });
}
