import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { memoryOf } from '../hostile/support/memory.ts';
import type { CurrentUser } from '../support/objects.ts';
import { createGuild, createWebhook, newcomer, type Person } from '../support/people.ts';
import { png } from '../support/png.ts';
import { useStack } from '../support/stack.ts';

/** Maximum time of an upload, which may wait for other pictures. */
const ANSWERED_MS = 15_000;
/** Rounds of the bystander's requests while pictures wait. */
const ROUNDS = 20;
/** Logins of one account, within its limit. */
const MAX_LOGINS = 5;
/** CPU time that proves work, in hundredths of a second: more than an idle process uses. */
const BUSY_TICKS = 2;
/** Maximum time of requests without pictures, on a busy machine. */
const QUICK_MS = 5_000;

const stack = useStack();

const setAvatar = ({ api }: Person, bytes: Buffer) =>
  api.send('PATCH', '/users/@me', { body: { avatar: bytes.toString('base64') } });

/** Waits until a small picture is stored. Returns the PID of its decoder. */
async function untilTaken(person: Person): Promise<number> {
  await until('media accepts pictures', 30_000, async () =>
    (await setAvatar(person, png(2, 1))).status === 200 ? true : undefined,
  );
  return until('the log names a decoder', 30_000, () => decoders().at(-1));
}

/** PIDs of media's decoder processes, oldest first. */
function decoders(): number[] {
  return readFileSync(join(stack.data_dir, 'logs/media.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('decoder started'))
    .map((line) => (JSON.parse(line) as { decoder: number }).decoder);
}

describe('pictures that are expensive to decode', () => {
  it('do not delay logins or other calls, and are not decoded in auth or the edge', async () => {
    const senders = await Promise.all(Array.from({ length: 8 }, () => newcomer(stack.api)));
    const bystander = await newcomer(stack.api);
    const decoder = await untilTaken(bystander);
    const idle = cpuTicksOf(decoder);
    const dear = png(8192, 7);
    // Each sender repeats its upload until the bystander is done, so pictures wait all the time.
    const answers: { status: number; ms: number }[] = [];
    let done = false;
    const flood = senders.map(async (sender) => {
      while (!done) {
        const startedAt = performance.now();
        const { status } = await setAvatar(sender, dear);
        answers.push({ status, ms: performance.now() - startedAt });
      }
    });
    try {
      await until('the decoder is busy', 30_000, () => cpuTicksOf(decoder) > idle + BUSY_TICKS || undefined);
      const { email, password, api } = bystander;
      for (let round = 0; round < ROUNDS; round++) {
        const login = () => stack.api.from(`10.200.${round}.1`).post('/auth/login', { email, password });
        const asks = [() => api.get('/users/@me'), ...(round < MAX_LOGINS ? [login] : [])];
        for (const ask of asks) {
          const startedAt = performance.now();
          expect((await ask()).status).toBe(200);
          expect(performance.now() - startedAt).toBeLessThan(QUICK_MS);
        }
        const { auth, gateway } = stack.running.pids();
        for (const pid of [auth, gateway]) expect(memoryOf(pid ?? 0)?.resident_mb ?? 0).toBeLessThan(400);
      }
    } finally {
      done = true;
      await Promise.all(flood);
    }
    for (const { status, ms } of answers) {
      expect([200, 503, 504]).toContain(status);
      expect(ms).toBeLessThan(ANSWERED_MS);
    }
  }, 120_000);

  it('are 503 if the decoder is killed, and the next upload succeeds', async () => {
    const [one, other] = [await newcomer(stack.api), await newcomer(stack.api)];
    const pid = await untilTaken(other);
    const idle = cpuTicksOf(pid);
    const dear = setAvatar(one, png(8192, 8));
    while (cpuTicksOf(pid) < idle + BUSY_TICKS) await new Promise((resolve) => setTimeout(resolve, 5));
    process.kill(pid, 'SIGKILL');
    const { status, text } = await dear;
    expect(status, text).toBe(503);
    expect((await setAvatar(one, png(2, 2))).status).toBe(200);
    expect((await one.api.get('/users/@me')).json<CurrentUser>().avatar).toMatch(/^[0-9a-f]{32}$/);
  }, 120_000);
});

/** The CPU time of a process, in hundredths of a second. */
function cpuTicksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

describe('while media is down', () => {
  it('profiles change except for pictures, and webhooks post', async () => {
    const person = await newcomer(stack.api);
    const hook = await createWebhook(await createGuild(person), stack.api);
    const pixel = png(2, 3);
    const pid = stack.running.pids().media ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const bio = await person.api.send('PATCH', '/users/@me', { body: { bio: 'still here' } });
      expect(bio.status, bio.text).toBe(200);
      expect((await hook.execute({ content: 'still there?' })).status).toBe(204);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
    // A new account for each attempt, so that no limit applies.
    await until('it is back', 30_000, async () => {
      const { status } = await setAvatar(await newcomer(stack.api), pixel);
      expect([200, 503]).toContain(status);
      return status === 200 ? true : undefined;
    });
  });
});
