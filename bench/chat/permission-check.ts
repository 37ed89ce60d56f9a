import {
  channelPermissions,
  DEFAULT_EVERYONE_PERMISSIONS,
  type Membership,
  type Overwrite,
} from '@gatehouse/chat-client/permissions';
import type { BenchOptions } from '../bench.ts';
import { load } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import type { Processes } from '../parts/processes.ts';
import { figureOf, ratioOf } from '../report/figure.ts';

const TITLE = 'permission check';
const ROLES = 20;
const OVERWRITES = 10;
const GUILD = '3000000000000';
const ACCOUNT = '3000000000001';
/** Each input is checked once, like data that a request has just loaded; few enough to stay in the CPU cache. */
const COPIES = 50;

/**
 * Processor time of a check for a member with 20 roles in a channel with 10 overwrites, all of which apply, compared
 * with a request to the bare Fastify route.
 */
export async function permissionCheck(
  bare: string,
  running: Processes,
  options: BenchOptions,
): Promise<void> {
  if (!options.wants(TITLE)) return;
  const requests: number[] = [];
  const checks: number[] = [];
  const turns = { warm: 1, counted: options.rounds * options.seconds };
  await takeTurns(TITLE, turns, options, async (isCounted) => {
    const [request_us, check_us] = [await requestCost(bare, running), checkCost()];
    if (!isCounted) return;
    requests.push(request_us);
    checks.push(check_us);
  });
  options.report({
    title: TITLE,
    about: 'Processor time.',
    rows: [
      { name: 'bare Fastify, a request', figures: { us: figureOf(requests) } },
      {
        name: 'a check',
        what: `${ROLES} roles, ${OVERWRITES} overwrites`,
        compared_with: 'bare Fastify, a request',
        figures: { us: figureOf(checks), ratio: ratioOf(checks, requests) },
      },
    ],
  });
}

async function requestCost(bare: string, running: Processes): Promise<number> {
  const before_us = running.cpuTime_us();
  const requests = [{ method: 'GET', path: '/' }] as const;
  const { statuses } = await load({ url: bare, connections: 8, seconds: 0.5, requests });
  return (running.cpuTime_us() - before_us) / (statuses['200'] ?? 0);
}

function checkCost(): number {
  const stored = JSON.stringify([membership, overwrites]);
  let used_us = 0;
  let rounds = 0;
  for (; used_us < 200_000; rounds++) {
    const copies = Array.from({ length: COPIES }, () => JSON.parse(stored) as [Membership, Overwrite[]]);
    const before = process.cpuUsage();
    for (const [place, overwrite] of copies) channelPermissions(place, overwrite);
    const { user, system } = process.cpuUsage(before);
    used_us += user + system;
  }
  return used_us / (rounds * COPIES);
}

const roleId = (n: number): string => String(Number(GUILD) + n);

const membership: Membership = {
  guild_id: GUILD,
  owner_id: '3000000000002',
  account_id: ACCOUNT,
  is_member: true,
  roles: Array.from({ length: ROLES }, (_, n) => ({
    id: roleId(n),
    position: n,
    permissions: String(DEFAULT_EVERYONE_PERMISSIONS | (1n << BigInt(23 + n))),
  })),
};

/** Overwrites of @everyone, of eight roles, and of the member. */
const overwrites: readonly Overwrite[] = Array.from({ length: OVERWRITES }, (_, n) => ({
  id: n === OVERWRITES - 1 ? ACCOUNT : roleId(n * 2),
  type: n === OVERWRITES - 1 ? 1 : 0,
  allow: String(1n << BigInt(20 + n)),
  deny: String((1n << BigInt(43 + n)) | 2048n),
}));
