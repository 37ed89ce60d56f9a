import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type {
  RecordRefusalsRequest,
  RecordRefusalsResponse,
  Refusal,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { insertTurnedAway, type TurnedAway } from '../store/deliveries.ts';
import { DIALECTS, TURNED_AWAY_REASONS, type TurnedAwayReason } from '../store/delivery.ts';

const MAX_ROWS = 1_000;
const STATUS: Readonly<Record<TurnedAwayReason, number>> = {
  wrong_token: 401,
  rate_limited: 429,
  too_large: 413,
  encoded_body: 415,
};

export function recordRefusals({ db, ids }: Deps): Handler<RecordRefusalsRequest, RecordRefusalsResponse> {
  return async ({ refusals }) => {
    if (refusals.length > MAX_ROWS || !refusals.every(({ webhook_id }) => isSnowflake(webhook_id))) {
      const message = `Must be at most ${MAX_ROWS} counts with IDs.`;
      throw invalidForm([{ path: 'refusals', code: 'INVALID_FORMAT', message }]);
    }
    const turnedAway = merged(refusals.flatMap((refusal) => turnedAwayBy(refusal) ?? []));
    if (turnedAway.length > 0)
      await insertTurnedAway(
        db,
        turnedAway,
        turnedAway.map(() => ids()),
      );
    return {};
  };
}

/** Undefined for a format or a reason of a later version. */
function turnedAwayBy({ webhook_id, dialect, reason, count }: Refusal): TurnedAway | undefined {
  const known = TURNED_AWAY_REASONS.find((one) => one === reason);
  const format = DIALECTS.find((one) => one === dialect);
  if (known === undefined || format === undefined || count < 1) return undefined;
  return { webhook_id, dialect: format, reason: known, status: STATUS[known], count };
}

/** One item for each webhook, format and reason: a statement can change a row only once. */
function merged(items: readonly TurnedAway[]): TurnedAway[] {
  const byRow = new Map<string, TurnedAway>();
  for (const item of items) {
    const key = `${item.webhook_id} ${item.dialect} ${item.reason}`;
    byRow.set(key, { ...item, count: item.count + (byRow.get(key)?.count ?? 0) });
  }
  return [...byRow.values()];
}
