import { expectOk } from '../../support/expect-status.ts';
import type { Person } from '../../support/people.ts';
import type { World } from './world.ts';

/**
 * Posts a final message in each guild and private channel, visible to all members. It arrives after every earlier
 * event.
 */
export async function markAll({ guilds, private_channels }: World): Promise<void> {
  for (const { owner, marks_id } of guilds) await mark(owner, marks_id);
  for (const { opener, id } of private_channels) await mark(opener, id);
}

function mark({ api }: Person, channel_id: string): Promise<unknown> {
  return expectOk(api.post(`/channels/${channel_id}/messages`, { content: 'the last' }));
}
