import { seenOf } from '@gatehouse/kit/event-log/cursor';
import { unavailable } from '@gatehouse/kit/fault';
import { batcher } from '@gatehouse/kit/queues/batch';
import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { ChatLog } from './chat-log.ts';

const CATCH_UP_TIMEOUT_MS = 5_000;

/** Makes a function that waits until every event committed before its call is delivered. Concurrent calls share a request. */
export function catchUpToHead(
  chat: Client<typeof ChatServiceDefinition>,
  chatLog: Pick<ChatLog, 'betweenTransactions'>,
): () => Promise<void> {
  const catchUp = batcher<undefined, undefined>({
    maxBatch: 1_000,
    maxInFlight: 2,
    maxQueue: 100_000,
    run: async (calls) => {
      const { cursor } = await chat.getGuildStates(
        { guild_ids: [], account_ids: [] },
        { timeoutMs: CATCH_UP_TIMEOUT_MS, caller: anonymous },
      );
      try {
        await chatLog.betweenTransactions(
          AbortSignal.timeout(CATCH_UP_TIMEOUT_MS),
          () => undefined,
          seenOf(cursor),
        );
      } catch (error) {
        throw unavailable(error);
      }
      return calls;
    },
  });
  return () => catchUp(undefined);
}
