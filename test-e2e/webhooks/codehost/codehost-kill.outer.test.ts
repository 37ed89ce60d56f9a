import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { newWebhook } from '../../support/people.ts';
import { PROXIED, useStack } from '../../support/stack.ts';
import { postDelivery } from './codehost-delivery.ts';
import { haltedAtCommit } from './halted-at-commit.ts';

/** Two stacks on one database act as two replicas of each service. */
const database = useDatabase();
const one = useStack(PROXIED, database);
const two = useStack(PROXIED, database);

it('a delivery whose chat is killed between claim and commit creates one message, even if it is repeated', async () => {
  const hook = await newWebhook(one.api);
  await haltedAtCommit(database.url, async ({ halted }) => {
    const first = postDelivery(one.api, hook, 'halted');
    await halted();
    const pid = one.running.pids().chat;
    if (pid === undefined) throw new Error('chat is not running');
    process.kill(pid, 'SIGKILL');
    expect((await first).status).toBe(503);
  });
  expect((await postDelivery(two.api, hook, 'halted')).status).toBe(204);
  await one.running.ready();
  // webhook-delivery connects to the new chat after the edge has.
  await expect.poll(async () => (await postDelivery(one.api, hook, 'halted')).status).toBe(204);
  expect(await hook.messages()).toHaveLength(1);
});
