import type { ListSecurityEventsRequest, SecurityEvent } from '@gatehouse/proto/auth';
import { addressesOf } from '../../profiles/deployment.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import { auditJson, auditLine } from './audit-line.ts';
import { AUTH_TIMEOUT, type AuthClient, callAuth } from './auth-service.ts';
import { EventFollower, MAX_PAGE } from './event-follower.ts';

export interface EventsOptions {
  readonly account: string | undefined;
  readonly kind: string | undefined;
  /** Milliseconds before now. */
  readonly since: number | undefined;
  readonly limit: number;
  readonly follow?: boolean;
  readonly address: string | undefined;
  readonly json?: boolean;
}

/** Prints the newest events, the oldest first. With `follow`, then new ones until the signal. */
export async function events(options: EventsOptions, runtime: Runtime): Promise<void> {
  const address = options.address ?? addressesOf(runtime.env, 'auth');
  const filter = filterOf(options);
  const print = (event: SecurityEvent) =>
    printLine(runtime, options.json ? auditJson(event) : auditLine(event));
  await callAuth(address, runtime, async (client) => {
    const newest = await newestEvents(client, filter, options.limit, runtime.signal);
    for (const event of newest) print(event);
    if (!options.follow) return;
    const warn = () =>
      runtime.stderr.write(`${address}: The auth service does not answer; waiting for it.\n`);
    const after = newest.at(-1)?.id ?? '0';
    const follower = new EventFollower({ client, filter, after, print, warn });
    await untilInterrupted(() => follower.run(runtime.signal), runtime.signal);
  });
}

type Filter = Partial<ListSecurityEventsRequest>;

function filterOf({ account, kind, since }: EventsOptions): Filter {
  return {
    account_id: account,
    kind,
    since_ms: since === undefined ? undefined : Math.max(Date.now() - since, 0),
  };
}

async function newestEvents(
  client: AuthClient,
  filter: Filter,
  count: number,
  signal: AbortSignal,
): Promise<SecurityEvent[]> {
  const found: SecurityEvent[] = [];
  while (found.length < count) {
    const limit = Math.min(count - found.length, MAX_PAGE);
    const request = { ...filter, limit, before: found.at(-1)?.id };
    const { events: page } = await client.listSecurityEvents(request, { ...AUTH_TIMEOUT, signal });
    found.push(...page);
    if (page.length < limit) break;
  }
  return found.reverse();
}
