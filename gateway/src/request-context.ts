import { ipGroup } from '@gatehouse/kit/net/client-ip';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientAddress } from './http/client-address.ts';
import { type Credential, MALFORMED, NOT_OURS, readCredential } from './http/credential.ts';
import { goneSignal } from './overload/gone-signal.ts';
import { IncomingBody } from './overload/incoming-body.ts';
import type { Overload } from './overload/overload.ts';
import type { Route } from './route.ts';

/** The properties of a request that are known before its steps, and its application. The steps return everything else. */
export interface RequestContext {
  readonly request: FastifyRequest;
  readonly requestId: string;
  /** The client's address, canonical. */
  readonly ip: string;
  /** The IP group of that address, by which bounds count (docs/glossary.md#requests). */
  readonly ipGroup: string;
  /** The Accept-Language header, for auth, which writes mail. Undefined for all other services. */
  readonly acceptLanguage: string | undefined;
  /** Undefined without an Authorization header. */
  readonly credential: Credential | undefined;
  /** The body, unread; undefined if the route takes none. */
  readonly incoming: IncomingBody | undefined;
  /** Aborts when the client disconnects; undefined for a request that continues without its client. */
  readonly gone: AbortSignal | undefined;
  /** The application whose live token the request has; `identify` sets it. Empty if there is none. */
  application_id: string;
}

const MAX_ACCEPT_LANGUAGE_LENGTH = 256;

export interface RequestContextOptions {
  readonly ipOf: ClientAddress;
  readonly overload: Overload;
}

/** Makes the function that creates the context of each request of a route. */
export function requestContext(
  route: Route | undefined,
  { ipOf, overload }: RequestContextOptions,
): (request: FastifyRequest, reply: FastifyReply) => RequestContext {
  const hasBody = route !== undefined && route.body !== 'none';
  const malformed = route?.headers.authorization === undefined ? MALFORMED : NOT_OURS;
  return (request, reply) => {
    const { raw, id: requestId } = request;
    const ip = ipOf(raw);
    const group = ipGroup(ip);
    return {
      request,
      requestId,
      ip,
      ipGroup: group,
      acceptLanguage:
        route?.service === 'auth'
          ? request.headers['accept-language']?.slice(0, MAX_ACCEPT_LANGUAGE_LENGTH)
          : undefined,
      credential: readCredential(raw, malformed),
      incoming: hasBody ? new IncomingBody(raw, group, overload) : undefined,
      gone: goneSignal(raw, reply.raw),
      application_id: '',
    };
  };
}
