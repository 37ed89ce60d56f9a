import { seenOf } from '@gatehouse/kit/event-log/cursor';
import { unavailable } from '@gatehouse/kit/fault';
import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { ChatLog } from './chat-log.ts';

const WITHIN_MS = 5_000;

/** Makes the function that waits for the log's end, as it is when it is called. Those who wait together ask once. */
export function catchUpToHead(
  chat: Client<typeof ChatServiceDefinition>,
  chatLog: () => Pick<ChatLog, 'betweenTransactions'>,
): () => Promise<void> {
  const reach = batcher<undefined, undefined>({
    maxBatch: 1_000,
    maxInFlight: 2,
    maxQueue: 100_000,
    run: async (calls) => {
      const { cursor } = await chat.getGuildStates(
        { guild_ids: [], account_ids: [] },
        { timeoutMs: WITHIN_MS, caller: anonymous },
      );
      try {
        await chatLog().betweenTransactions(AbortSignal.timeout(WITHIN_MS), () => undefined, seenOf(cursor));
      } catch (error) {
        throw unavailable(error);
      }
      return calls;
    },
  });
  return () => reach(undefined);
}
