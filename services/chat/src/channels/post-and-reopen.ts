import { channelOpened } from '../events/event.ts';
import { type EventDeps, eventTransaction } from '../events/event-transaction.ts';
import { findChannel } from '../store/channels/channels.ts';
import { findClosers, lockPrivateChannel, reopenDirectChannel } from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';

/** Posts in a DM. Reopens it first for accounts that have closed it, and afterwards for those that closed it meanwhile. */
export async function postAndReopen<T>(
  deps: EventDeps,
  channelId: string,
  post: () => Promise<T>,
): Promise<T> {
  await reopen(deps, channelId);
  const posted = await post();
  // Nothing may fail once the message is stored. If this does, the next message reopens the DM.
  await reopen(deps, channelId).catch(() => undefined);
  return posted;
}

/** Most DMs are open, so this is usually one read without a lock. */
async function reopen(deps: EventDeps, channelId: string): Promise<void> {
  const closers = await findClosers(deps.db, channelId);
  if (closers.length === 0) return;
  await eventTransaction(deps, async (tx) => {
    await lockPrivateChannel(tx, channelId);
    const channel = await findChannel(tx, channelId);
    if (channel === undefined) return;
    for (const account_id of closers) {
      if (await reopenDirectChannel(tx, channelId, account_id))
        await insertEvents(tx, [channelOpened(channel, account_id)]);
    }
  });
}
