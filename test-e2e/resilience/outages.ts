import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@gatehouse/dev-env/until';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { newHook } from '../support/people.ts';
import type { OwnStack } from '../support/stack.ts';
import {
  expectTooSlow,
  expectUnavailable,
  openProbes,
  type Probe,
  type Probes,
  timed,
  untilWell,
} from './probes.ts';

/** Which routes need a service, and which go on without it. None needs ratelimit. */
const NEEDED: [service: string, needing: (keyof Probes)[], others: (keyof Probes)[]][] = [
  ['auth', ['me', 'guild', 'applications'], ['readWebhook', 'execute', 'picture']],
  ['chat', ['guild', 'execute'], ['me', 'applications', 'readWebhook']],
  ['oauth2', ['applications'], ['me', 'guild', 'readWebhook', 'execute']],
  ['webhook-delivery', ['readWebhook', 'execute'], ['me', 'guild', 'applications', 'picture']],
  ['media', ['picture'], ['me', 'guild', 'applications', 'readWebhook', 'execute']],
];

export function outages(stack: OwnStack): void {
  let probes: Probes;
  beforeAll(async () => {
    probes = await openProbes(stack);
  });
  const pidOf = (name: string) => stack.running.pids()[name];

  function pidNow(name: string): number {
    const pid = pidOf(name);
    if (pid === undefined) throw new Error(`${name} is not running`);
    return pid;
  }

  describe('a service that is killed', () => {
    it.each(NEEDED)(
      '(%s) makes its routes 503, leaves the others alone and comes back',
      async (name, needing, others) => {
        const killed = pidNow(name);
        const bystanders = goOn(others.map((other) => probes[other]));
        process.kill(killed, 'SIGKILL');
        const answers = await Promise.all(needing.map((each) => throughOutage(probes[each], name, killed)));
        await bystanders.stop();
        expect(pidOf(name)).not.toBe(killed);
        for (const [n, ofOne] of answers.entries()) {
          const failed = ofOne.filter(({ reply }) => reply.status >= 300);
          expect(failed.length, `${needing[n]} noticed`).toBeGreaterThan(0);
          for (const each of failed) expectUnavailable(each);
        }
        await allWell();
      },
    );

    it('(the edge) comes back, and knows every session and webhook it knew', async () => {
      const killed = pidNow('gateway');
      process.kill(killed, 'SIGKILL');
      await until('the edge is back', 30_000, async () => {
        const alive = await fetch(`${stack.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        return alive && pidOf('gateway') !== killed ? true : undefined;
      });
      await allWell();
    });

    it('(the database) makes its routes 503 or 504, never 500, and comes back with all that was committed', async () => {
      const hook = await newHook(stack.api);
      const { id } = await hook.say({ content: 'committed' });
      const killed = pidOf('postgres');
      if (killed === undefined) return; // The stack runs on a server that is not its own.
      process.kill(killed, 'SIGKILL');
      const answers = await Promise.all(
        [probes.me, probes.guild, probes.execute].map((each) => throughOutage(each, 'postgres', killed)),
      );
      for (const each of answers.flat().filter(({ reply }) => reply.status >= 300)) expectTooSlow(each);
      await allWell();
      const read = await stack.api.get(`${hook.path}/messages/${id}`);
      expect(read.json()).toMatchObject({ content: 'committed' });
    });

    it('again and again comes back again and again', async () => {
      for (let n = 0; n < 3; n += 1) {
        const killed = pidNow('chat');
        process.kill(killed, 'SIGKILL');
        await throughOutage(probes.guild, 'chat', killed);
      }
      await allWell();
    });
  });

  describe('a service that stands still', () => {
    it.each(NEEDED)(
      '(%s) makes its routes 504 or 503 in bounded time and leaves the others alone',
      async (name, needing, others) => {
        const pid = pidNow(name);
        const bystanders = goOn(others.map((other) => probes[other]));
        process.kill(pid, 'SIGSTOP');
        try {
          const answers = await Promise.all(needing.map((each) => timed(probes[each])));
          for (const each of answers) expectTooSlow(each);
          await bystanders.stop();
        } finally {
          process.kill(pid, 'SIGCONT');
        }
        await allWell();
      },
    );
  });

  describe('without ratelimit, every route goes on', () => {
    it('while it is killed and started again', async () => {
      const killed = pidNow('ratelimit');
      const bystanders = goOn(Object.values(probes));
      process.kill(killed, 'SIGKILL');
      await until('ratelimit is started again', 30_000, async () => {
        const pid = pidOf('ratelimit');
        return pid !== undefined && pid !== killed && (await isReady()) ? true : undefined;
      });
      await bystanders.stop();
    });

    it('while it stands still, and the limits hold', async () => {
      const pid = pidNow('ratelimit');
      const bystanders = goOn(Object.values(probes));
      const hook = await newHook(stack.api);
      process.kill(pid, 'SIGSTOP');
      try {
        const startedAt = performance.now();
        const replies = await Promise.all(
          Array.from({ length: 70 }, () => hook.execute({ content: 'is anybody counting?' })),
        );
        const seconds = (performance.now() - startedAt) / 1000;
        const admitted = replies.filter(({ status }) => status === 204).length;
        expect(replies.filter(({ status }) => status === 429)).toHaveLength(70 - admitted);
        expect(admitted, '60 per 60 s, counted by the edge').toBeGreaterThanOrEqual(60);
        expect(admitted).toBeLessThanOrEqual(60 + Math.ceil(seconds));
        await bystanders.stop();
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await until('ratelimit is asked again', 30_000, async () => ((await isReady()) ? true : undefined));
      await allWell();
    });
  });

  describe('readiness', () => {
    it('is told at /readyz while a service is missing, and liveness goes on', async () => {
      const killed = pidNow('oauth2');
      process.kill(killed, 'SIGKILL');
      const statuses: number[] = [];
      await until('unready, then ready again', 30_000, async () => {
        const { status } = await fetch(`${stack.url}/readyz`);
        expect((await fetch(`${stack.url}/livez`)).status).toBe(200);
        statuses.push(status);
        return status === 200 && pidOf('oauth2') !== killed && statuses.includes(503) ? true : undefined;
      });
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      expectError(await stack.api.get('/nowhere'), 404, 'NOT_FOUND');
    });
  });

  /** Every answer of a route from an outage's start until the service is another process and the route is well. */
  async function throughOutage(probe: Probe, name: string, killed: number) {
    const answers = [await timed(probe)];
    await until(`${name} is started again`, 30_000, async () => {
      answers.push(await timed(probe));
      return pidOf(name) !== undefined && pidOf(name) !== killed ? true : undefined;
    });
    return [...answers, ...(await untilWell(probe))];
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${stack.url}/readyz`)).ok;
  }

  async function allWell(): Promise<void> {
    await Promise.all(Object.values(probes).map((probe) => untilWell(probe)));
  }
}

/** Keeps asking routes, each of which must answer well all the time. */
function goOn(probes: Probe[]): { stop(): Promise<void> } {
  let stopped = false;
  onTestFinished(() => {
    stopped = true;
  });
  const asking = probes.map(async (probe) => {
    while (!stopped) {
      const { reply, ms } = await timed(probe);
      expect(reply.status, `a bystander: ${reply.text}`).toBeLessThan(300);
      expect(ms, 'a bystander answers as ever').toBeLessThan(5000);
      await delay(200);
    }
  });
  const all = Promise.all(asking);
  all.catch(() => undefined); // Reported by stop.
  return {
    stop: async () => {
      stopped = true;
      await all;
    },
  };
}
