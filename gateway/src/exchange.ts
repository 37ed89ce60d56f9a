import type { Caller } from '@gatehouse/proto/kit/calls';
import type { FastifyRequest } from 'fastify';

/** One request on its way through the pipeline: what the steps have established so far. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly requestId: string;
  /** The client's address, canonical. */
  readonly ip: string;
  /** Whether an Authorization header came, of whatever worth. */
  readonly authorizationSent: boolean;
  /** Who calls; of kind UNSPECIFIED when no live credential came. */
  readonly caller: Caller;
  /** The body, once it is read. */
  body: Buffer | undefined;
}
