import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Deps } from '../deps.ts';
import { channelOpened } from '../events/event.ts';
import { readChannel } from '../store/channels.ts';
import { insertEvents } from '../store/events.ts';
import { lockPrivateChannel, readClosers, reopenDirectChannel } from '../store/private-channels.ts';

/**
 * Before a message in a DM: who has closed it is told of it again. Most DMs are closed by nobody, so that this is one look
 * without a lock.
 */
export async function reopenForMessage(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  channelId: string,
): Promise<void> {
  const closers = await readClosers(db, channelId);
  if (closers.length === 0) return;
  await inTransaction(db, async (tx) => {
    await lockPrivateChannel(tx, channelId);
    const channel = await readChannel(tx, channelId);
    if (channel === undefined) return;
    for (const account_id of closers) {
      if (await reopenDirectChannel(tx, channelId, account_id))
        await insertEvents(tx, [channelOpened(channel, account_id)]);
    }
  });
  eventsWritten();
}
