import { expect } from 'vitest';
import { OP } from '../gateway/support/codes.ts';
import { openConnection } from '../gateway/support/connection.ts';
import { identify, replayedEvents, sendResume } from '../gateway/support/session.ts';
import type { GuildFixture } from '../support/people.ts';

/** A session that receives a message, disconnects and resumes, and a refused token. @param url without a path */
export async function gatewayTraffic(url: string, { owner, channel }: GuildFixture): Promise<void> {
  const open = () => openConnection(`${url.replace(/^http/, 'ws')}/gateway?v=1&encoding=json`);
  const session = await identify(await open(), owner.token);
  const posted = await owner.api.post(`/channels/${channel.id}/messages`, { content: 'heard' });
  expect(posted.status, posted.text).toBe(200);
  await session.event('MESSAGE_CREATE');
  session.connection.break();
  const resumed = sendResume(await open(), session, session.seq());
  await replayedEvents(resumed);
  await resumed.connection.close();
  const refused = await open();
  refused.send({ op: OP.IDENTIFY, d: { token: 'nobody’s', properties: {} } });
  expect((await refused.closed()).code).toBe(4004);
}
