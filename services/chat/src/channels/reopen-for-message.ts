import type { Deps } from '../deps.ts';
import { channelOpened } from '../events/event.ts';
import { eventTransaction } from '../events/event-transaction.ts';
import { readChannel } from '../store/channels.ts';
import { insertEvents } from '../store/events.ts';
import { lockPrivateChannel, readClosers, reopenDirectChannel } from '../store/private-channels.ts';

/**
 * Before a message in a DM: who has closed it is told of it again. Most DMs are closed by nobody, so that this is one look
 * without a lock.
 */
export async function reopenForMessage(
  deps: Pick<Deps, 'db' | 'eventsWritten'>,
  channelId: string,
): Promise<void> {
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
