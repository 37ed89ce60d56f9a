import { expect, it } from 'vitest';
import { watchMemory } from '../../hostile/support/memory.ts';
import { createChannel, join, newGuild } from '../../support/guilds.ts';
import { newcomer } from '../../support/people.ts';
import type { OwnStack } from '../../support/stack.ts';
import { OP } from '../support/codes.ts';
import type { Gateway } from '../support/use-gateway.ts';

const CHANNELS = 80;
const MEMBERS = 10;
const CONNECTIONS_EACH = 6;
/** Maximum resident memory of realtime, in MiB. */
const MAX_RSS_MB = 400;

/** Many clients request a large READY at once and do not read it. */
export function largeReadies(stack: OwnStack, gateway: Gateway): void {
  it('members of a large guild who identify at once without reading do not crash realtime or block others', {
    timeout: 180_000,
  }, async () => {
    const fixture = await newGuild(stack.api);
    const topic = '😀'.repeat(1024);
    const made = Array.from({ length: CHANNELS }, (_, n) => createChannel(fixture, { name: `c${n}`, topic }));
    await Promise.all(made);
    await fixture.invite();
    const members = await Promise.all(Array.from({ length: MEMBERS }, () => join(stack.api, fixture)));
    const bystander = await newcomer(stack.api);
    const connections = await Promise.all(
      members.flatMap(({ token }) =>
        Array.from({ length: CONNECTIONS_EACH }, async () => ({
          token,
          connection: await gateway.connect(),
        })),
      ),
    );
    const memory = watchMemory({ realtime: stack.running.pids().realtime ?? 0 });
    for (const { token, connection } of connections) {
      connection.pause();
      connection.send({ op: OP.IDENTIFY, d: { token } });
    }
    for (let n = 0; n < 3; n += 1) expect((await gateway.identify(bystander.token)).ready.v).toBe(1);
    for (const { connection } of connections) connection.resumeReading();
    const [first] = members;
    await expect
      .poll(async () => (await gateway.identify(first?.token ?? '')).ready.guilds, { timeout: 30_000 })
      .toHaveLength(1);
    expect(memory.stop().realtime?.peak_mb).toBeLessThan(MAX_RSS_MB);
  });
}
