import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { implement, serve } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition, type User } from '@gatehouse/proto/auth';
import {
  type PeekSlowmodeRequest,
  type ProfileDenial,
  RatelimitServiceDefinition,
  type TakeProfileChangesRequest,
  type TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';

/** What the ratelimit service answers about slowmode, and what it was asked. */
export interface SlowmodeAnswers {
  /** Undefined: every message may be sent. */
  retry_after_us: number | undefined;
  /** What every answer waits for. */
  after: Promise<void>;
  readonly asked: TakeSlowmodeRequest[];
  readonly peeked: PeekSlowmodeRequest[];
}

/** What every answer of the auth service waits for. */
export interface AuthAnswers {
  after: Promise<void>;
}

/** What the webhook-delivery service holds. */
export interface HeldWebhooks {
  /** Webhook ID → channel ID. */
  readonly webhooks: Map<string, string>;
  /** The channels of every EndChannels call so far. */
  readonly told: (readonly string[])[];
  /** What every answer waits for. */
  after: Promise<void>;
}

/** What the ratelimit service answers about changes of profiles, and what it was asked. */
export interface ProfileAnswers {
  /** Undefined: every change may be made. */
  denial: ProfileDenial | undefined;
  readonly asked: TakeProfileChangesRequest[];
}

/** The parts of auth that chat calls, on a real port. */
export function serveAuth(
  accounts: Map<string, User>,
  lookups: string[][],
  answers: AuthAnswers,
): Promise<Running> {
  const handlers = someHandlers(AuthServiceDefinition, {
    getUsers: async ({ ids }) => {
      lookups.push([...ids].sort());
      await answers.after;
      return { users: ids.map((id) => accounts.get(id)).filter((user) => user !== undefined) };
    },
  });
  const implementations = [implement(AuthServiceDefinition, handlers)];
  return serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
}

/** The parts of ratelimit that chat calls. */
export function serveRatelimit(slowmode: SlowmodeAnswers, profiles: ProfileAnswers): Promise<Running> {
  const handlers = someHandlers(RatelimitServiceDefinition, {
    takeProfileChanges: (request) => {
      profiles.asked.push(request);
      return { denial: profiles.denial ?? null, degraded: false };
    },
    peekSlowmode: (request) => {
      slowmode.peeked.push(request);
      return { retry_after_us: slowmode.retry_after_us ?? null, degraded: false };
    },
    takeSlowmode: async (request) => {
      slowmode.asked.push(request);
      await slowmode.after;
      return { retry_after_us: slowmode.retry_after_us ?? null, degraded: false };
    },
  });
  const implementations = [implement(RatelimitServiceDefinition, handlers)];
  return serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
}

/** The parts of webhook-delivery that chat calls. */
export function serveWebhookDelivery(held: HeldWebhooks, address = '127.0.0.1:0'): Promise<Running> {
  const handlers = someHandlers(WebhookDeliveryServiceDefinition, {
    endChannels: async ({ channel_ids }) => {
      held.told.push(channel_ids);
      await held.after;
      for (const [id, channel] of held.webhooks) if (channel_ids.includes(channel)) held.webhooks.delete(id);
      return {};
    },
  });
  const implementations = [implement(WebhookDeliveryServiceDefinition, handlers)];
  return serve({ address, implementations, log: silentLogger });
}
