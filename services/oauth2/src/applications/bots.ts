import { internal } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import type { CreateBotRequest, UpdateBotRequest, User } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';

const MAKE_WITHIN_MS = 5_000;
/** A picture may wait in media's queue. */
const CHANGE_WITHIN_MS = 12_000;

/** Creates an application's bot and its token at auth. */
export async function makeBot(
  auth: Deps['auth'],
  request: CreateBotRequest,
  call: Call,
): Promise<{ bot: User; token: string }> {
  const { bot, token } = await auth.createBot(request, { timeoutMs: MAKE_WITHIN_MS, parent: call });
  if (bot === null) throw internal(new Error('auth answered without a bot'));
  return { bot, token };
}

/** Updates an application's bot at auth. */
export async function changeBot(auth: Deps['auth'], request: UpdateBotRequest, call: Call): Promise<User> {
  const { bot } = await auth.updateBot(request, { timeoutMs: CHANGE_WITHIN_MS, parent: call });
  if (bot === null) throw internal(new Error('auth answered without a bot'));
  return bot;
}
