import { messageSchema } from '@gatehouse/kit/json';
import type { Exchange } from '../exchange.ts';
import { chargesOf } from '../limit/charges.ts';
import { messageName } from '../message-name.ts';
import { SHORT_BODY_BYTES } from '../overload/body-memory.ts';
import type { Row } from '../route.ts';
import type { Connections } from '../services.ts';
import { invoker } from './invoke.ts';

/** Reads at most `limitBytes`, which is the row's own unless given. */
export type BodyReader = (exchange: Exchange, limitBytes?: number) => Promise<void>;

const NO_MEMBERS = Buffer.from('{}');
const NOTHING = Buffer.alloc(0);

/**
 * Makes the step that reads a row's body; undefined where the row takes none. No more than 64 KiB are read of a
 * client without a right to what the path names (`credential_check`), and, where the limits are charged after
 * the body (`isLimitedLater`), of one whom they would deny anyway.
 */
export function bodyReader(
  row: Row,
  isLimitedLater: boolean,
  connections: Connections,
): BodyReader | undefined {
  const { body } = row;
  if (body === 'none') return undefined;
  const checkCredential = credentialCheck(row, connections);
  const readLong = longJsonReader(row, connections);

  async function beforeLong(exchange: Exchange): Promise<void> {
    if (isLimitedLater)
      await connections.limits.expectAdmission(chargesOf(row, exchange), exchange.requestId);
    await checkCredential?.(exchange);
  }

  return async (exchange, limitBytes = row.body_limit_bytes) => {
    const bytes = await exchange.arriving?.read(limitBytes, () => beforeLong(exchange));
    exchange.body = bytes ?? NOTHING;
    if (body === 'optional_json' && exchange.body.length === 0) exchange.body = NO_MEMBERS;
    if (exchange.body.length > SHORT_BODY_BYTES) await readLong?.(exchange);
  };
}

function credentialCheck(
  row: Row,
  connections: Connections,
): ((exchange: Exchange) => Promise<void>) | undefined {
  if (row.credential_check === undefined) return undefined;
  const check = invoker({ ...row, rpc: row.credential_check }, connections);
  return async (exchange) => {
    const params = exchange.request.params as Record<string, string>;
    await check(Object.fromEntries(row.params.map((name) => [name, params[name] ?? ''])), exchange);
  };
}

/** Long JSON becomes a message on a thread of its own. */
function longJsonReader(
  row: Row,
  { long_json }: Connections,
): ((exchange: Exchange) => Promise<void>) | undefined {
  if (row.body !== 'json' && row.body !== 'optional_json') return undefined;
  const message = messageName(row, 'Request');
  const fields = new Set(messageSchema(message).fields.map(({ name }) => name));
  const skip = [...row.params, ...row.query, ...Object.values(row.headers)].filter((name) =>
    fields.has(name),
  );
  const members = [...Object.keys(row.member_buckets), 'email'];
  return async (exchange) => {
    const body = exchange.body ?? NOTHING;
    exchange.body = undefined; // its bytes are the thread's now
    exchange.long = await long_json.read({ body, message, skip, members });
  };
}
