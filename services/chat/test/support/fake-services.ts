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

/** The ratelimit service's answers for slowmode, and its requests. */
export interface SlowmodeAnswers {
  /** Undefined: every message may be sent. */
  retry_after_us: number | undefined;
  /** Every answer waits for it. */
  gate: Promise<void>;
  readonly requests: TakeSlowmodeRequest[];
  readonly peeks: PeekSlowmodeRequest[];
}

/** Every answer of the auth service waits for it. */
export interface AuthAnswers {
  gate: Promise<void>;
}

/** The webhook-delivery service's state. */
export interface FakeWebhookDelivery {
  /** Webhook ID → channel ID. */
  readonly webhooks: Map<string, string>;
  /** The channels of every EndChannels call. */
  readonly ended: (readonly string[])[];
  /** Every answer waits for it. */
  gate: Promise<void>;
}

/** The ratelimit service's answers for profile changes, and its requests. */
export interface ProfileAnswers {
  /** Undefined: every change is allowed. */
  denial: ProfileDenial | undefined;
  readonly requests: TakeProfileChangesRequest[];
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
      await answers.gate;
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
      profiles.requests.push(request);
      return { denial: profiles.denial ?? null, degraded: false };
    },
    peekSlowmode: (request) => {
      slowmode.peeks.push(request);
      return { retry_after_us: slowmode.retry_after_us ?? null, degraded: false };
    },
    takeSlowmode: async (request) => {
      slowmode.requests.push(request);
      await slowmode.gate;
      return { retry_after_us: slowmode.retry_after_us ?? null, degraded: false };
    },
  });
  const implementations = [implement(RatelimitServiceDefinition, handlers)];
  return serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
}

/** The parts of webhook-delivery that chat calls. */
export function serveWebhookDelivery(state: FakeWebhookDelivery, address: string): Promise<Running> {
  const handlers = someHandlers(WebhookDeliveryServiceDefinition, {
    endChannels: async ({ channel_ids }) => {
      state.ended.push(channel_ids);
      await state.gate;
      for (const [id, channel] of state.webhooks)
        if (channel_ids.includes(channel)) state.webhooks.delete(id);
      return {};
    },
  });
  const implementations = [implement(WebhookDeliveryServiceDefinition, handlers)];
  return serve({ address, implementations, log: silentLogger });
}
