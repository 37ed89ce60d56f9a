import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@gatehouse/dev-env/until';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { newWebhook } from '../support/people.ts';
import type { OwnStack } from '../support/stack.ts';
import {
  expectTooSlow,
  expectUnavailable,
  openProbes,
  type Probe,
  type Probes,
  timed,
  untilHealthy,
} from './probes.ts';

/** For each service, the routes that need it and routes that do not. No route needs ratelimit. */
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

  describe('a killed service', () => {
    it.each(NEEDED)(
      '(%s) makes its routes 503, does not affect others, and restarts',
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

    it('(the edge) restarts, and sessions and webhooks still work', async () => {
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

    it('(the database) makes its routes 503 or 504, never 500, and restarts with all committed data', async () => {
      const hook = await newWebhook(stack.api);
      const { id } = await hook.say({ content: 'committed' });
      const killed = pidOf('postgres');
      if (killed === undefined) return; // The stack uses an external server.
      process.kill(killed, 'SIGKILL');
      const answers = await Promise.all(
        [probes.me, probes.guild, probes.execute].map((each) => throughOutage(each, 'postgres', killed)),
      );
      for (const each of answers.flat().filter(({ reply }) => reply.status >= 300)) expectTooSlow(each);
      await allWell();
      const read = await stack.api.get(`${hook.path}/messages/${id}`);
      expect(read.json()).toMatchObject({ content: 'committed' });
    });

    it('restarts after each of several kills', async () => {
      for (let n = 0; n < 3; n += 1) {
        const killed = pidNow('chat');
        process.kill(killed, 'SIGKILL');
        await throughOutage(probes.guild, 'chat', killed);
      }
      await allWell();
    });
  });

  describe('a stopped service (SIGSTOP)', () => {
    it.each(NEEDED)(
      '(%s) makes its routes 504 or 503 in bounded time and does not affect others',
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

  describe('every route works without ratelimit', () => {
    it('while it restarts after a kill', async () => {
      const killed = pidNow('ratelimit');
      const bystanders = goOn(Object.values(probes));
      process.kill(killed, 'SIGKILL');
      await until('ratelimit is started again', 30_000, async () => {
        const pid = pidOf('ratelimit');
        return pid !== undefined && pid !== killed && (await isReady()) ? true : undefined;
      });
      await bystanders.stop();
    });

    it('while it is stopped, and the limits hold', async () => {
      const pid = pidNow('ratelimit');
      const bystanders = goOn(Object.values(probes));
      const hook = await newWebhook(stack.api);
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
      await until('ratelimit is ready again', 30_000, async () => ((await isReady()) ? true : undefined));
      await allWell();
    });
  });

  describe('readiness', () => {
    it('fails at /readyz while a service is down; /livez stays 200', async () => {
      const statusIs = async (expected: number) => {
        const { status } = await fetch(`${stack.url}/readyz`);
        expect([200, 503]).toContain(status);
        expect((await fetch(`${stack.url}/livez`)).status).toBe(200);
        return status === expected || undefined;
      };
      let killed = 0;
      await until('unready', 30_000, () => {
        const pid = pidOf('oauth2');
        if (pid !== undefined && pid !== killed) process.kill(pid, 'SIGKILL');
        killed = pid ?? killed;
        return statusIs(503);
      });
      await until('ready again', 30_000, () => statusIs(200));
      expectError(await stack.api.get('/nowhere'), 404, 'NOT_FOUND');
    });
  });

  /** Returns a route's responses from the start of an outage until the service has restarted and the route works. */
  async function throughOutage(probe: Probe, name: string, killed: number) {
    const answers = [await timed(probe)];
    await until(`${name} is started again`, 30_000, async () => {
      answers.push(await timed(probe));
      return pidOf(name) !== undefined && pidOf(name) !== killed ? true : undefined;
    });
    return [...answers, ...(await untilHealthy(probe))];
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${stack.url}/readyz`)).ok;
  }

  async function allWell(): Promise<void> {
    await Promise.all(Object.values(probes).map((probe) => untilHealthy(probe)));
  }
}

/** Calls routes continuously. Every response must succeed in time. */
function goOn(probes: Probe[]): { stop(): Promise<void> } {
  let stopped = false;
  onTestFinished(() => {
    stopped = true;
  });
  const asking = probes.map(async (probe) => {
    while (!stopped) {
      const { reply, ms } = await timed(probe);
      expect(reply.status, `a bystander: ${reply.text}`).toBeLessThan(300);
      expect(ms, 'a bystander responds in time').toBeLessThan(5000);
      await delay(200);
    }
  });
  const all = Promise.all(asking);
  all.catch(() => undefined); // stop() rethrows it.
  return {
    stop: async () => {
      stopped = true;
      await all;
    },
  };
}
