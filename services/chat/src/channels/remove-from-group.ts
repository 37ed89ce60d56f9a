import { type EventDeps, eventTransaction } from '../events/event-transaction.ts';
import { findChannel } from '../store/channels/channels.ts';
import { lockPrivateChannel } from '../store/channels/private-channels.ts';
import { leaveGroupChannel } from './remove-group-recipient.ts';

/** Removes an account from a group DM, if it is a recipient, without checking permissions. */
export function removeFromGroup(deps: EventDeps, channelId: string, accountId: string): Promise<void> {
  return eventTransaction(deps, async (tx) => {
    await lockPrivateChannel(tx, channelId);
    const channel = await findChannel(tx, channelId);
    if (channel?.recipient_ids.includes(accountId) === true) await leaveGroupChannel(tx, channel, accountId);
  });
}
