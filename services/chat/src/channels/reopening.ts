import type { Deps } from '../deps.ts';
import { channelOpened } from '../events/event.ts';
import { eventTransaction } from '../events/event-transaction.ts';
import { readChannel } from '../store/channels/channels.ts';
import { lockPrivateChannel, readClosers, reopenDirectChannel } from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';

type Asked = Pick<Deps, 'db' | 'eventsWritten'>;

/** Posts in a DM. Who has closed it is told of it again: before the message, and after it who closed it meanwhile. */
export async function reopening<T>(deps: Asked, channelId: string, post: () => Promise<T>): Promise<T> {
  await reopen(deps, channelId);
  const posted = await post();
  // The message is stored: nothing may fail any more. What is not opened now, the next message opens.
  await reopen(deps, channelId).catch(() => undefined);
  return posted;
}

/** Most DMs are closed by nobody, so that this is one look without a lock. */
async function reopen(deps: Asked, channelId: string): Promise<void> {
  const closers = await readClosers(deps.db, channelId);
  if (closers.length === 0) return;
  await eventTransaction(deps, async (tx) => {
    await lockPrivateChannel(tx, channelId);
    const channel = await readChannel(tx, channelId);
    if (channel === undefined) return;
    for (const account_id of closers) {
      if (await reopenDirectChannel(tx, channelId, account_id))
        await insertEvents(tx, [channelOpened(channel, account_id)]);
    }
  });
}
