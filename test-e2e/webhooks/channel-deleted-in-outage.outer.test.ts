import { expect, it } from 'vitest';
import { createGuild, createWebhook, newcomer } from '../support/people.ts';
import { useStack } from '../support/stack.ts';
import { untilGone } from '../support/until-gone.ts';

const stack = useStack();

it('the webhooks of a channel that is deleted while webhook-delivery is down are deleted once it is back', async () => {
  const fixture = await createGuild(await newcomer(stack.api));
  const hook = await createWebhook(fixture, stack.api);
  const pid = stack.running.pids()['webhook-delivery'];
  if (pid === undefined) throw new Error('webhook-delivery is not running');
  process.kill(pid, 'SIGKILL');
  expect((await fixture.owner.api.send('DELETE', `/channels/${fixture.channel.id}`)).status).toBe(204);
  await untilGone(stack.api, hook.path);
});
