import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { channelOpened, recipientAdded } from '../events/event.ts';
import { accessChannel } from '../guilds/access.ts';
import { recipientMessage } from '../messages/recipient-message.ts';
import { ChannelType } from '../store/channels/channels.ts';
import { insertRecipient, lockPrivateChannel } from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';
import { postMessage } from '../store/messages/post-messages.ts';
import { MAX_RECIPIENTS } from './recipient-form.ts';

interface RecipientAddition {
  readonly channel_id: string;
  /** The new recipient, whose account exists. */
  readonly account_id: string;
  readonly by_account_id: string;
}

/**
 * Adds an account to a group DM, with its events and a message of type 1 (docs/guilds.md#dms). Returns false
 * and changes nothing if the account is a recipient already.
 *
 * @throws NOT_FOUND; MISSING_ACCESS if the actor is no recipient; BAD_REQUEST if it is no group DM, or is full
 */
export async function addGroupRecipient(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  { channel_id, account_id, by_account_id }: RecipientAddition,
): Promise<boolean> {
  await lockPrivateChannel(tx, channel_id);
  const { channel } = await accessChannel(tx, channel_id, by_account_id);
  if (channel.type !== ChannelType.GROUP_DM) throw badRequest('Only a group DM takes further recipients.');
  if (channel.recipient_ids.includes(account_id)) return false;
  if (channel.recipient_ids.length >= MAX_RECIPIENTS) {
    throw badRequest(`A group DM holds at most ${MAX_RECIPIENTS} people.`);
  }

  await insertRecipient(tx, channel.id, account_id);
  const joined = { ...channel, recipient_ids: [...channel.recipient_ids, account_id] };
  await insertEvents(tx, [recipientAdded(joined, account_id), channelOpened(joined, account_id)]);
  await postMessage(tx, recipientMessage(ids(), channel.id, by_account_id, account_id));
  return true;
}
