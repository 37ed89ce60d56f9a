import type {
  PeekSlowmodeRequest,
  ProfileDenial,
  TakeProfileChangesRequest,
  TakeSlowmodeRequest,
} from '@gatehouse/proto/ratelimit';
import type { Counts } from './counts.ts';
import type { LocalDecisions } from './degraded/local-decisions.ts';
import type { FollowedRules } from './followed-rules.ts';
import { deniedField, profileCharges } from './profile-charges.ts';
import type { CallWithFallback, RatelimitCalls } from './ratelimit-calls.ts';
import { slowmodeCheck } from './slowmode.ts';
import type { Transport } from './transport.ts';

export interface InternalLimitsOptions<Origin> {
  readonly transport: Pick<Transport<Origin>, 'takeSlowmode' | 'peekSlowmode' | 'takeProfileChanges'>;
  readonly calls: RatelimitCalls<Origin>;
  readonly rules: Pick<FollowedRules, 'current'>;
  readonly local: Pick<LocalDecisions, 'decide'>;
  readonly counts: Counts;
}

/** The limits of internal rows, which RPCs of their own charge: slowmode and profile fields. */
export class InternalLimits<Origin> {
  readonly #options: InternalLimitsOptions<Origin>;

  constructor(options: InternalLimitsOptions<Origin>) {
    this.#options = options;
  }

  takeSlowmode(message: TakeSlowmodeRequest, origin?: Origin): Promise<number | undefined> {
    const { transport } = this.#options;
    return this.#callOrDecide(
      {
        call: (timeout_ms) => transport.takeSlowmode(message, timeout_ms, origin),
        toResult: ({ retry_after_us }) => retry_after_us ?? undefined,
        decideLocally: (cause) => this.#slowmodeLocally(message, 1, cause),
      },
      origin,
    );
  }

  peekSlowmode(message: PeekSlowmodeRequest, origin?: Origin): Promise<number | undefined> {
    const { transport } = this.#options;
    return this.#callOrDecide(
      {
        call: (timeout_ms) => transport.peekSlowmode(message, timeout_ms, origin),
        toResult: ({ retry_after_us }) => retry_after_us ?? undefined,
        decideLocally: (cause) => this.#slowmodeLocally(message, 0, cause),
      },
      origin,
    );
  }

  takeProfileChanges(
    changes: TakeProfileChangesRequest,
    origin?: Origin,
  ): Promise<ProfileDenial | undefined> {
    const { transport, rules, local } = this.#options;
    return this.#callOrDecide(
      {
        call: (timeout_ms) => transport.takeProfileChanges(changes, timeout_ms, origin),
        toResult: ({ denial }) => denial ?? undefined,
        decideLocally: (cause) => {
          const denial = local.decide(() => [profileCharges(rules.current().internal, changes)], cause);
          return denial && { field: deniedField(denial), retry_after_us: denial.retry_after_us };
        },
      },
      origin,
    );
  }

  #slowmodeLocally(message: TakeSlowmodeRequest, cost: 0 | 1, cause: unknown): number | undefined {
    const { rules, local } = this.#options;
    const { slowmode } = rules.current().internal;
    return local.decide(() => slowmodeCheck(slowmode, message, cost), cause)?.retry_after_us;
  }

  #callOrDecide<Response extends { readonly degraded: boolean }, Result>(
    { call, toResult, decideLocally }: CallWithFallback<Response, Result>,
    origin: Origin | undefined,
  ): Promise<Result> {
    const { calls, counts } = this.#options;
    counts.checks++;
    const toCountedResult = (response: Response): Result => {
      if (response.degraded) counts.degraded++;
      return toResult(response);
    };
    return calls.callOrDecide({ call, toResult: toCountedResult, decideLocally }, origin);
  }
}
