import { Fault, type Violation } from '@gatehouse/kit/fault';
import { messageSchema, parseObject } from '@gatehouse/kit/json';
import { traced } from '@gatehouse/kit/trace/current-span';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Connections } from '../connections.ts';
import { unsupportedEncoding } from '../http/http-error.ts';
import { hasBody, headerList } from '../http/request-headers.ts';
import { expectAdmission } from '../limit/expect-admission.ts';
import { SHORT_BODY_BYTES } from '../overload/body-budgets.ts';
import type { RequestContext } from '../request-context.ts';
import type { Route } from '../route.ts';
import { messageName } from '../service-definitions.ts';
import { refusal } from './authorize.ts';
import { isLimitedByBody, NO_BODY_LIMITS } from './body-keyed-limits.ts';
import { invoker } from './invoke.ts';
import { chargesOf } from './limit.ts';

/** A request's body after it was read. */
export type Body = BytesBody | JsonBody | LongJsonBody;

/** The bytes, unchanged. */
interface BytesBody {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  readonly members: Members;
}

export interface JsonBody {
  readonly kind: 'json';
  /** Empty if the body is not a JSON object; `violations` then has the reason. */
  readonly members: Members;
  readonly violations: readonly Violation[];
}

/** JSON of more than 64 KiB, which the worker thread has turned into a message. */
interface LongJsonBody {
  readonly kind: 'long_json';
  /** Only the members that limits need. */
  readonly members: Members;
  readonly violations: readonly Violation[];
  /** The request message, without the fields that path, query and headers fill. */
  readonly encoded: Uint8Array;
}

type Members = Readonly<Record<string, unknown>>;

export type BodyReader = (context: RequestContext, caller: Caller) => Body | Promise<Body>;

const EMPTY = Buffer.alloc(0);
export const NO_BODY: Body = { kind: 'bytes', bytes: EMPTY, members: {} };
/** Maximum bytes read from a refused caller. */
const REFUSED_BYTES = 64 * 1024;

/** Makes the step that reads a route's body. If the route takes none, the body stays unread. */
export function bodyReader(route: Route, connections: Connections): BodyReader {
  if (route.body === 'none') return leaveUnread;
  const { body_limit_bytes } = route;
  const isReadFirst = isLimitedByBody(route);
  const checkCredential = credentialCheck(route, connections);
  const beforeLong = longBodyCheck(route, connections, checkCredential);
  const parse = bodyParser(route, connections);

  return async (context, caller) => {
    const { incoming } = context;
    if (incoming === undefined) return NO_BODY;
    const isEncoded = hasEncodedBody(context);
    if (isReadFirst && refusal(route, caller) !== undefined)
      return isEncoded ? NO_BODY : readRefused(context);
    if (isEncoded) {
      await checkCredential?.(context, caller);
      throw unsupportedEncoding();
    }
    return parse(await incoming.read(body_limit_bytes, () => beforeLong(context, caller)));
  };

  /**
   * Limits come before 401 and 403, so a body that they need is read from a refused caller too, up to 64 KiB. If the
   * route takes more, a longer body stays unread: the answer is 401 or 403, not 413.
   */
  async function readRefused({ incoming }: RequestContext): Promise<Body> {
    try {
      return parse((await incoming?.read(Math.min(body_limit_bytes, REFUSED_BYTES))) ?? EMPTY);
    } catch (error) {
      if (body_limit_bytes <= REFUSED_BYTES) throw error;
      return NO_BODY;
    }
  }
}

function leaveUnread(context: RequestContext): Body {
  if (hasEncodedBody(context)) throw unsupportedEncoding();
  return NO_BODY;
}

/** Whether the request has a body with a Content-Encoding other than `identity`. */
function hasEncodedBody({ request: { headers } }: RequestContext): boolean {
  return (
    hasBody({ headers }) && headerList(headers['content-encoding']).some((coding) => !UNENCODED.has(coding))
  );
}

const UNENCODED: ReadonlySet<string> = new Set(['', 'identity']);

/** The checks before more than 64 KiB of a body are read. */
function longBodyCheck(
  route: Route,
  connections: Connections,
  checkCredential: CredentialCheck | undefined,
): (context: RequestContext, caller: Caller) => Promise<void> {
  const { limits } = connections;
  const isReadFirst = isLimitedByBody(route);
  return async (context, caller) => {
    if (isReadFirst)
      await expectAdmission(limits, chargesOf(route, context, caller, NO_BODY_LIMITS), context.requestId);
    await checkCredential?.(context, caller);
  };
}

type CredentialCheck = (context: RequestContext, caller: Caller) => Promise<unknown>;

/** Checks the credential in the path at its service (`check_before_long_body`). */
function credentialCheck(route: Route, connections: Connections): CredentialCheck | undefined {
  if (route.check_before_long_body === undefined) return undefined;
  const check = invoker(route.check_before_long_body, connections);
  return (context, caller) => {
    const params = context.request.params as Record<string, string>;
    const request = Object.fromEntries(route.params.map((name) => [name, params[name] ?? '']));
    return check(request, caller, context);
  };
}

/** Makes the function that parses a body as its route requires. */
function bodyParser(route: Route, connections: Connections): (bytes: Buffer) => Body | Promise<Body> {
  if (route.body !== 'json' && route.body !== 'optional_json')
    return (bytes) => ({ kind: 'bytes', bytes, members: {} });
  const readLong = longJsonReader(route, connections);
  const mayBeEmpty = route.body === 'optional_json';
  return (bytes) => {
    if (bytes.length > SHORT_BODY_BYTES) return readLong(bytes);
    return mayBeEmpty && bytes.length === 0 ? EMPTY_OBJECT : jsonBody(bytes);
  };
}

const EMPTY_OBJECT: JsonBody = { kind: 'json', members: {}, violations: [] };

function jsonBody(bytes: Buffer): JsonBody {
  try {
    return { kind: 'json', members: parseObject(bytes), violations: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: 'json', members: {}, violations: error.violations };
  }
}

/** Sends long JSON to the worker thread. Its bytes are transferred, and empty here from then on. */
function longJsonReader(route: Route, { long_json }: Connections): (body: Buffer) => Promise<LongJsonBody> {
  const message = messageName(route, 'Request');
  const fields = new Set(messageSchema(message).fields.map(({ name }) => name));
  const skip = [...route.params, ...route.query, ...Object.values(route.headers)].filter((name) =>
    fields.has(name),
  );
  const limitMembers = [...Object.keys(route.member_buckets), 'email'];
  return async (body) => {
    const { members, violations, encoded } = await traced('read long JSON', 'internal', {}, () =>
      long_json.read({ body, message, skip, members: limitMembers }),
    );
    return { kind: 'long_json', members, violations, encoded };
  };
}
