import type { DeniedIdentity } from '@gatehouse/proto/ratelimit-admin';
import type { NoisyWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { Series } from '../charts/series.ts';
import type { NamedAccount } from '../parts/account-link.tsx';

/** Connections of a service's pool to its database. */
export interface Pool {
  readonly service: string;
  readonly used: number;
  readonly waiting: number;
  readonly max: number;
}

/** A running process, or one that does not answer. */
export interface Replica {
  readonly service: string;
  readonly address: string;
  readonly version: string;
  readonly up: boolean;
  readonly started_at_ms: number;
}

/** Why something is out of use. */
export type OutOfUse = 'suspended' | 'disabled' | 'owner_suspended' | 'creator_suspended';

/** A noisy webhook with its creator, if the console's API knows it. */
export interface CreatedWebhook extends NoisyWebhook {
  readonly creator?: NamedAccount | null;
}

/** An identity that was denied; `state` says whether what it names is out of use. */
export interface Denied extends DeniedIdentity {
  readonly state: OutOfUse | null;
}

/** An application and its requests to the API in this hour and the one before it. */
export interface BusyApplication {
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  readonly errors: number;
  readonly disabled: boolean;
  readonly owner_suspended: boolean;
}

/** What runs now, and how it went in the window. Every series has a value for each time. */
export interface Overview {
  readonly at_ms: number;
  /** Whether windows longer than an hour are available. */
  readonly prometheus: boolean;
  readonly step_ms: number;
  readonly times: readonly number[];
  /** Per second. */
  readonly requests: Series;
  readonly errors: Series;
  /** Refusals per second, by bucket. */
  readonly denied: Readonly<Record<string, Series>>;
  readonly latency: Readonly<Record<string, { readonly p50_ms: Series; readonly p99_ms: Series }>>;
  readonly pools: readonly Pool[];
  readonly sessions: number | null;
  readonly event_delay_ms: number | null;
  /** Messages that webhooks posted, per second of the newest step. */
  readonly webhook_posts: number | null;
  readonly mail_queue: number | null;
  readonly replicas: readonly Replica[];
  readonly noisy: {
    readonly webhooks: readonly CreatedWebhook[];
    readonly denied: readonly Denied[];
    readonly applications: readonly BusyApplication[];
  };
  /** Services that do not answer. */
  readonly unavailable?: readonly string[];
  /** What an operator can do to see more. */
  readonly notices?: readonly string[];
}
