import { expect, it } from 'vitest';
import { foundGuild, hookIn, newcomer } from './support/people.ts';
import { useSuite } from './support/suite.ts';
import { untilGone } from './webhooks/until-gone.ts';

const suite = useSuite();

it('a channel that is deleted while webhook-delivery is down takes its webhooks with it once that is back', async () => {
  const place = await foundGuild(await newcomer(suite.api));
  const hook = await hookIn(place, suite.api);
  const pid = suite.running.pids()['webhook-delivery'];
  if (pid === undefined) throw new Error('webhook-delivery is not running');
  process.kill(pid, 'SIGKILL');
  expect((await place.owner.api.send('DELETE', `/channels/${place.channel.id}`)).status).toBe(204);
  await untilGone(suite.api, hook.path);
});
