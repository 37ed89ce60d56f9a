import { ipGroup } from '@gatehouse/kit/net/client-ip';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientAddress } from './client-address.ts';
import { type Credential, readCredential } from './credential.ts';
import { clientGone } from './overload/client-gone.ts';
import { type IncomingBody, incomingBody } from './overload/incoming-body.ts';
import type { Overload } from './overload/overload.ts';
import type { Route } from './route.ts';

/** What is known of a request when it begins. What the steps find out later are their return values. */
export interface RequestContext {
  readonly request: FastifyRequest;
  readonly requestId: string;
  /** The client's address, canonical. */
  readonly ip: string;
  /** The same address as bounds count it: IPv6 by /64. */
  readonly address: string;
  /** Undefined when there is no Authorization header. */
  readonly credential: Credential | undefined;
  /** The body, of which nothing is read yet; undefined where the route takes none. */
  readonly incoming: IncomingBody | undefined;
  /** Aborts when its client goes; undefined where the request goes on without one. */
  readonly gone: AbortSignal | undefined;
}

export interface RequestContextOptions {
  readonly ipOf: ClientAddress;
  readonly overload: Overload;
}

/** Makes the function that begins a request of a route. */
export function requestContext(
  route: Route | undefined,
  { ipOf, overload }: RequestContextOptions,
): (request: FastifyRequest, reply: FastifyReply) => RequestContext {
  const hasBody = route !== undefined && route.body !== 'none';
  return (request, reply) => {
    const { raw, id: requestId } = request;
    const ip = ipOf(raw);
    const address = ipGroup(ip);
    return {
      request,
      requestId,
      ip,
      address,
      credential: readCredential(raw),
      incoming: hasBody ? incomingBody(raw, address, overload) : undefined,
      gone: clientGone(raw, reply.raw),
    };
  };
}
