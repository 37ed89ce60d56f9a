import { load } from '@gatehouse/bench/load/load';
import { beforeAll, vi } from 'vitest';
import { newcomer } from '../../support/people.ts';
import { type OwnStack, PROXIED, useStack } from '../../support/stack.ts';
import type { Target } from '../attacks/attack.ts';
import type { Bystander } from './bystanders.ts';

/** Where attackers come from. The stack trusts 127.0.0.1 alone as a proxy, from which tests prepare things. */
export const ATTACKER = '127.0.0.2';
const NEIGHBOUR = '127.0.0.3';

/** A running stack, and clients with sessions who are there during every attack. */
export interface Stage {
  readonly stack: OwnStack;
  readonly target: Target;
  /** From an address of their own, from the attacker's, and one that asks for /livez. */
  readonly bystanders: readonly Bystander[];
}

/** `user:settings:get` lets an account ask four times a second all the time. */
const PER_ACCOUNT = 3;
const ACCOUNTS = 4;

/** Whether the longer variants run too. */
export const LONG = process.env.GATEHOUSE_HOSTILE === 'long';

/** How long an attack lasts, in seconds. */
export const SECONDS = LONG ? 10 : 2;

/** Starts a stack before the file's tests, with bystanders, and ends it after them; on a database of its own if none is given. */
export function useStage(env: Record<string, string> = PROXIED, database?: { readonly url: string }): Stage {
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

/** Has the edge compile what it needs, so that its memory before an attack is that of one that is in use. */
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
