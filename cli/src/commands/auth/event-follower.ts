import { setInterval } from 'node:timers/promises';
import { isOutage } from '@gatehouse/kit/fault';
import type { ListSecurityEventsRequest, SecurityEvent } from '@gatehouse/proto/auth';
import { AUTH_TIMEOUT, type AuthClient } from './auth-service.ts';

/** Maximum events of one response. */
export const MAX_PAGE = 1000;

const POLL_INTERVAL_MS = 1_000;
/**
 * An event gets its ID before its transaction commits, so it may become visible after events with greater IDs. Every
 * query therefore reaches further back than any transaction takes, and skips printed events.
 */
const OVERLAP_MS = 15_000n;
/** The bits below the milliseconds of a snowflake. */
const MS_SHIFT = 22n;

export interface EventFollowerOptions {
  readonly client: AuthClient;
  readonly filter: Partial<ListSecurityEventsRequest>;
  /** The ID of the last printed event. */
  readonly after: string;
  readonly print: (event: SecurityEvent) => void;
  /** Called when the service stops answering. */
  readonly warn: () => void;
}

/** Polls for new events, and goes on polling while the service is down. */
export class EventFollower {
  readonly #options: EventFollowerOptions;
  #newest: bigint;
  /** The IDs of the last query, undefined before the first. */
  #known: Set<string> | undefined;
  #isDown = false;

  constructor(options: EventFollowerOptions) {
    this.#options = options;
    this.#newest = BigInt(options.after);
  }

  /** Prints new events until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    for await (const _ of setInterval(POLL_INTERVAL_MS, undefined, { signal })) {
      const found = await this.#query(signal);
      if (found !== undefined) this.#printNew(found);
    }
  }

  #printNew(found: readonly SecurityEvent[]): void {
    for (const event of found) if (this.#isNew(event.id)) this.#options.print(event);
    this.#known = new Set(found.map(({ id }) => id));
    this.#newest = BigInt(found.at(-1)?.id ?? this.#newest);
  }

  /** The first query also finds older events, which were not requested. */
  #isNew(id: string): boolean {
    return this.#known === undefined ? BigInt(id) > this.#newest : !this.#known.has(id);
  }

  /** Undefined while the service is down. */
  async #query(signal: AbortSignal): Promise<SecurityEvent[] | undefined> {
    try {
      const from = this.#newest - (OVERLAP_MS << MS_SHIFT);
      const found = await this.#allAfter(from < 0n ? 0n : from, signal);
      this.#isDown = false;
      return found;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!this.#isDown) this.#options.warn();
      this.#isDown = true;
      return undefined;
    }
  }

  async #allAfter(id: bigint, signal: AbortSignal): Promise<SecurityEvent[]> {
    const { client, filter } = this.#options;
    const found: SecurityEvent[] = [];
    for (;;) {
      const request = { ...filter, after: found.at(-1)?.id ?? String(id), limit: MAX_PAGE };
      const { events } = await client.listSecurityEvents(request, { ...AUTH_TIMEOUT, signal });
      found.push(...events);
      if (events.length < MAX_PAGE) return found;
    }
  }
}
