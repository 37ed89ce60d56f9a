import type { Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { FastifyRequest } from 'fastify';
import type { LongJsonResult } from './long-json/job.ts';
import type { RowBucket } from './route.ts';
import type { Body } from './steps/body.ts';

/** One request on its way through the pipeline: what the steps have established so far. */
export interface RequestContext {
  readonly request: FastifyRequest;
  readonly requestId: string;
  /** The client's address, canonical. */
  readonly ip: string;
  /** The same as what bounds count: IPv6 by /64. */
  readonly address: string;
  /** What the Authorization header says, of whatever worth; undefined when none came. */
  readonly credential: Credential | undefined;
  /** Who calls; of kind UNSPECIFIED until a live credential is identified. */
  caller: Caller;
  /** The body on its way; undefined where the route takes none. */
  readonly arriving: Body | undefined;
  /** The body, once it is read. */
  body: Buffer | undefined;
  /** What was made of the body, where it is JSON and long. */
  long: LongJsonResult | undefined;
  /** What the request counts against beyond its head; of most rows, nothing. */
  naming: Naming;
}

/** A credential as its header gives it. */
export interface Credential {
  readonly kind: CallerKind;
  readonly token: string;
}

/** What the body, or the caller's account, adds to the limits of a row. */
export interface Naming {
  /** The address or login name that a bucket is keyed by. */
  readonly email: string | undefined;
  /** Further buckets of the row's set. */
  readonly buckets: readonly RowBucket[];
}

export const NAMES_NOTHING: Naming = { email: undefined, buckets: [] };
