import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import type { Message } from '../../support/objects.ts';
import { newWebhook } from '../../support/people.ts';
import { PROXIED, useStackInProcess } from '../../support/stack.ts';
import { postDelivery, repository } from './codehost-delivery.ts';
import { haltedAtCommit } from './halted-at-commit.ts';

/** Two stacks on one database act as two replicas of each service. */
const database = useDatabase();
const one = useStackInProcess(PROXIED, database);
const two = useStackInProcess(PROXIED, database);

it('32 identical concurrent deliveries over two replicas create one message', async () => {
  const hook = await newWebhook(one.api);
  for (const delivery of ['first', 'second']) {
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        postDelivery(index % 2 === 0 ? one.api : two.api, hook, delivery),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(32).fill(204));
  }
  expect(await hook.messages()).toHaveLength(2);
});

it('a delivery that loses its database connection between claim and commit is rendered when repeated', async () => {
  const hook = await newWebhook(one.api);
  await haltedAtCommit(database.url, async ({ chat, halted }) => {
    const first = postDelivery(one.api, hook, 'halted');
    await halted();
    const { rowCount } = await chat.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'",
    );
    expect(rowCount).toBe(1);
    expect((await first).status).toBe(503);
  });
  expect(await hook.messages()).toHaveLength(0);
  expect((await postDelivery(two.api, hook, 'halted')).status).toBe(204);
  expect((await postDelivery(one.api, hook, 'halted')).status).toBe(204);
  expect(await hook.messages()).toHaveLength(1);
});

it('a push of 25 MiB with 2,048 commits creates one message, while other deliveries are served', async () => {
  const hook = await newWebhook(one.api);
  const other = await newWebhook(one.api);
  const body = largestPush(25 * 1024 * 1024);
  const replies = await Promise.all([
    postDelivery(one.api, hook, 'large', 'push', body),
    ...Array.from({ length: 16 }, (_, index) => postDelivery(one.api, other, `${index}`)),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(Array(17).fill(204));
  expect(titles(await hook.messages())).toEqual(['[rocket:main] 2048 new commits']);
  expect(await other.messages()).toHaveLength(16);
});

function titles(messages: readonly Message[]) {
  return messages.map(({ embeds }) => embeds[0]?.title);
}

/** A push event padded to `bytes` bytes. */
function largestPush(bytes: number): Buffer {
  const commits = Array.from({ length: 2048 }, (_, index) => ({
    id: index.toString(16).padStart(40, '0'),
    url: `${repository.html_url}/commit/${index}`,
    message: 'x'.repeat(6000),
    author: { name: 'Ada' },
    modified: Array.from({ length: 200 }, (_, file) => `src/parts/${index}/file-${file}.ts`),
  }));
  const push = { ref: 'refs/heads/main', compare: `${repository.html_url}/compare`, repository, commits };
  const text = JSON.stringify(push);
  return Buffer.from(text.padEnd(bytes));
}
