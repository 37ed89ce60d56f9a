import type { Form } from '@gatehouse/kit/form';
import type { PoolClient } from 'pg';
import { ChannelType, findChannel } from '../store/channels/channels.ts';

/** A channel's parent must be a category of its guild. A category has no parent. */
export async function checkParent(
  tx: PoolClient,
  form: Form,
  { guild_id, type, parent_id }: { guild_id: string; type: number; parent_id: string | null },
): Promise<void> {
  if (parent_id === null) return;
  if (type === ChannelType.CATEGORY) {
    form.fail('parent_id', 'INVALID_FORMAT', 'A category cannot be in a category.');
    return;
  }
  const parent = await findChannel(tx, parent_id);
  if (parent?.guild_id !== guild_id || parent.type !== ChannelType.CATEGORY) {
    form.fail('parent_id', 'INVALID_FORMAT', 'Must be a category of the guild.');
  }
}
