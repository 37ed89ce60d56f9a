import { messageSchema } from '@gatehouse/kit/json';
import { chargesOf } from '../limit/charges.ts';
import { expectAdmission } from '../limit/expect-admission.ts';
import { messageName } from '../message-name.ts';
import { SHORT_BODY_BYTES } from '../overload/body-memory.ts';
import type { RequestContext } from '../request-context.ts';
import type { Row } from '../route.ts';
import type { Connections } from '../services.ts';
import { invoker } from './invoke.ts';

/** Reads at most `limitBytes`, which is the row's own unless given. */
export type BodyReader = (context: RequestContext, limitBytes?: number) => Promise<void>;

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

  async function beforeLong(context: RequestContext): Promise<void> {
    if (isLimitedLater) await expectAdmission(connections.limits, chargesOf(row, context), context.requestId);
    await checkCredential?.(context);
  }

  return async (context, limitBytes = row.body_limit_bytes) => {
    const bytes = await context.arriving?.read(limitBytes, () => beforeLong(context));
    context.body = bytes ?? NOTHING;
    if (body === 'optional_json' && context.body.length === 0) context.body = NO_MEMBERS;
    if (context.body.length > SHORT_BODY_BYTES) await readLong?.(context);
  };
}

function credentialCheck(
  row: Row,
  connections: Connections,
): ((context: RequestContext) => Promise<void>) | undefined {
  if (row.credential_check === undefined) return undefined;
  const check = invoker({ ...row, rpc: row.credential_check }, connections);
  return async (context) => {
    const params = context.request.params as Record<string, string>;
    await check(Object.fromEntries(row.params.map((name) => [name, params[name] ?? ''])), context);
  };
}

/** Long JSON becomes a message on a thread of its own. */
function longJsonReader(
  row: Row,
  { long_json }: Connections,
): ((context: RequestContext) => Promise<void>) | undefined {
  if (row.body !== 'json' && row.body !== 'optional_json') return undefined;
  const message = messageName(row, 'Request');
  const fields = new Set(messageSchema(message).fields.map(({ name }) => name));
  const skip = [...row.params, ...row.query, ...Object.values(row.headers)].filter((name) =>
    fields.has(name),
  );
  const members = [...Object.keys(row.member_buckets), 'email'];
  return async (context) => {
    const body = context.body ?? NOTHING;
    context.body = undefined; // its bytes are the thread's now
    context.long = await long_json.read({ body, message, skip, members });
  };
}
