import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';

const { fullName, name, methods } = ChatServiceDefinition;

/** Chat's RPCs for the removal of bots, on a real port. It records the removed bots in the order of the calls. */
export function serveBotRemovals(removed: string[], address = '127.0.0.1:0'): Promise<Running> {
  const definition = { fullName, name, methods: { removeBot: methods.removeBot } };
  const implementation = implement(definition, {
    removeBot: ({ bot_id }) => {
      removed.push(bot_id);
      return {};
    },
  });
  return serve({ address, implementations: [implementation], log: silentLogger });
}
