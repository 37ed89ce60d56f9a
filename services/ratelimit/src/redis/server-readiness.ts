import type { Logger } from '@gatehouse/kit/log';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Cluster, Redis } from 'ioredis';
import { orTimeout } from '../or-timeout.ts';
import { checkDecider } from './check-decider.ts';
import { withoutCommand } from './connect.ts';
import { probe, UnsuitableRedis } from './probe.ts';
import type { RedisTarget } from './redis-url.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface ServerReadinessOptions {
  readonly client: Redis | Cluster;
  readonly layout: RedisTarget['layout'];
  /** Called with the error of each failed command. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Logger;
}

/** Maximum time for which a start waits for the server. */
const START_TIMEOUT_MS = 1000;
/** Maximum time of each charge of a probe. A silent node of a cluster must leave time for the others. */
const PROBE_CHARGE_TIMEOUT_MS = 300;
const RETRY_MS = 200;

/** Probes the server until one probe succeeds. Only then may it keep buckets. */
export class ServerReadiness {
  readonly #options: ServerReadinessOptions;
  #isReady = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: ServerReadinessOptions) {
    this.#options = options;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  /** Probes the server once, and later again if it does not answer. @throws UnsuitableRedis */
  async start(): Promise<void> {
    try {
      await this.#probe();
    } catch (error) {
      if (error instanceof UnsuitableRedis) throw error;
      this.#options.log.warn({ err: withoutCommand(error) }, 'redis does not answer: starting without it');
      this.#probeLater(false);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  async #probe(): Promise<void> {
    const { client, layout, onFailure, log } = this.#options;
    await waitUntilReady(client, START_TIMEOUT_MS);
    const decide = checkDecider({ client, timeout_ms: PROBE_CHARGE_TIMEOUT_MS, onFailure });
    const decideOne = async (check: Check) => (await decide({ check, withStates: false })).denial;
    await orTimeout(probe({ client, layout, decide: decideOne, log }), START_TIMEOUT_MS);
    this.#isReady = true;
  }

  /** @param wasUnsuitable whether the last probe found the server unsuitable, which is logged once */
  #probeLater(wasUnsuitable: boolean): void {
    if (!this.#isClosed)
      this.#retry = setTimeout(() => void this.#retryProbe(wasUnsuitable), RETRY_MS).unref();
  }

  async #retryProbe(wasUnsuitable: boolean): Promise<void> {
    const { client, log } = this.#options;
    if (client.status !== 'ready') return this.#probeLater(wasUnsuitable);
    try {
      await this.#probe();
      log.info('redis answers');
    } catch (error) {
      const isUnsuitable = error instanceof UnsuitableRedis;
      if (isUnsuitable && !wasUnsuitable) log.error({ err: error }, 'redis cannot be used');
      this.#probeLater(isUnsuitable);
    }
  }
}
