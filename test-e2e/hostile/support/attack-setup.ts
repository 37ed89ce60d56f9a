import { load } from '@gatehouse/bench/load/load';
import { beforeAll, vi } from 'vitest';
import { newcomer } from '../../support/people.ts';
import { type OwnStack, PROXIED, useStack } from '../../support/stack.ts';
import type { Target } from '../attacks/attack.ts';
import type { Bystander } from './bystanders.ts';

/** The attackers' address. The stack trusts only 127.0.0.1, the address of the tests, as a proxy. */
export const ATTACKER = '127.0.0.2';
const NEIGHBOUR = '127.0.0.3';

/** A running stack, and bystanders with sessions during every attack. */
export interface AttackSetup {
  readonly stack: OwnStack;
  readonly target: Target;
  /** One from its own address, one from the attacker's, and one that requests /livez. */
  readonly bystanders: readonly Bystander[];
}

/** `user:settings:get` admits four requests per second of an account. */
const PER_ACCOUNT = 3;
const ACCOUNTS = 4;

/** Whether to run the longer variants too. */
export const LONG = process.env.GATEHOUSE_HOSTILE === 'long';

/** How long an attack lasts, in seconds. */
export const SECONDS = LONG ? 10 : 2;

/**
 * Starts a stack with bystanders before the file's tests and stops it after them; on its own database by default.
 */
export function useAttackSetup(
  env: Record<string, string> = PROXIED,
  database?: { readonly url: string },
): AttackSetup {
  vi.setConfig({ testTimeout: 120_000 });
  const stack = useStack(env, database);
  let bystanders: readonly Bystander[] = [];
  beforeAll(async () => {
    bystanders = [
      await person(stack, 'neighbour', NEIGHBOUR),
      await person(stack, 'housemate', ATTACKER),
      { name: 'livez', from: NEIGHBOUR, path: '/livez', tokens: [], per_second: 4 },
    ];
    await warmUp(stack.url);
  });
  return {
    stack,
    get target() {
      const { hostname, port } = new URL(stack.url);
      return { host: hostname, port: Number(port) };
    },
    get bystanders() {
      return bystanders;
    },
  };
}

/** Warms up the edge, so that its memory before an attack is that of an edge in use. */
export async function warmUp(url: string): Promise<void> {
  const paths = ['/api/v1/x', '/api/v1/webhooks/1/x', '/livez'];
  const requests = paths.map((path) => ({ method: 'GET', path }) as const);
  await load({ url, connections: 32, seconds: 1, requests });
}

async function person({ api }: OwnStack, name: string, from: string): Promise<Bystander> {
  const people = await Promise.all(Array.from({ length: ACCOUNTS }, () => newcomer(api)));
  const tokens = people.map(({ token }) => token);
  return { name, from, path: '/api/v1/users/@me', tokens, per_second: PER_ACCOUNT * ACCOUNTS };
}
