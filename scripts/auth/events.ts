import type { SecurityEvent } from '@gatehouse/proto/auth';
import { say } from '../ratelimit/say.ts';
import type { EventsOptions } from './arguments.ts';
import { eventJson, eventLine } from './event-line.ts';
import { follow } from './follow.ts';
import { MAX_PAGE, PATIENCE, type Peer } from './peer.ts';

/** Prints the newest events, oldest first. With `follow` it then prints new ones until interrupted. */
export async function events(peer: Peer, options: EventsOptions): Promise<void> {
  const print = (event: SecurityEvent) => say(options.json ? eventJson(event) : eventLine(event));
  const newest = await newestEvents(peer, options);
  for (const event of newest) print(event);
  if (!options.follow) return;

  const leave = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave.abort());
  try {
    const after = newest.at(-1)?.id ?? '0';
    const { address } = options;
    await follow({ peer, address, filter: filterOf(options), after, print, signal: leave.signal });
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  }
}

async function newestEvents(peer: Peer, options: EventsOptions): Promise<SecurityEvent[]> {
  const found: SecurityEvent[] = [];
  while (found.length < options.limit) {
    const limit = Math.min(options.limit - found.length, MAX_PAGE);
    const request = { ...filterOf(options), limit, before: found.at(-1)?.id };
    const { events: page } = await peer.listSecurityEvents(request, PATIENCE);
    found.push(...page);
    if (page.length < limit) break;
  }
  return found.reverse();
}

function filterOf({ account_id, kind, since_ms }: EventsOptions) {
  return { account_id, kind, since_ms };
}
