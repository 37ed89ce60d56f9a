import type { Logger } from '@gatehouse/kit/log';
import { whenGathered } from '@gatehouse/kit/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessLog } from './access-log.ts';
import { clientIp, ipGroup } from './client-ip.ts';
import { httpError, notFound, RateLimited } from './http-error.ts';
import { isLimitedByBody, namer } from './limit/body-keyed-limits.ts';
import type { InvalidRequests } from './limit/invalid-requests.ts';
import type { Overload } from './overload/overload.ts';
import { NAMES_NOTHING, type RequestContext } from './request-context.ts';
import type { Answer, Row } from './route.ts';
import { type Outgoing, sender } from './send.ts';
import type { Connections } from './services.ts';
import { authorize } from './steps/authorize.ts';
import { requestBody } from './steps/body.ts';
import { anonymous, identify, readCredential } from './steps/identify.ts';
import { invoker } from './steps/invoke.ts';
import { limit } from './steps/limit.ts';
import { bodyReader } from './steps/read-body.ts';
import { replier } from './steps/reply.ts';
import { requestReader } from './steps/request.ts';

export interface PipelineOptions {
  readonly connections: Connections;
  readonly overload: Overload;
  readonly invalid_requests: InvalidRequests;
  readonly trusted_proxies: readonly string[];
  readonly log: Logger;
}

/** Takes a request to its answer; never throws. */
export type Pipeline = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * A request's way: identify, limit, authorize, read the body, check its form, invoke, reply. `row` is undefined
 * for requests that no row matches: they count like any other, and are then not found.
 */
export function pipeline(row: Row | undefined, options: PipelineOptions): Pipeline {
  const { connections } = options;
  if (row === undefined) {
    return carrier(row, options, async (context) => {
      await identify(context, connections);
      await limit(undefined, context, connections);
      throw notFound();
    });
  }

  const readRequest = requestReader(row);
  const invoke = invoker(row, connections);
  const toAnswer = replier(row);
  const isLimitedLater = isLimitedByBody(row);
  const readBody = bodyReader(row, isLimitedLater, connections);
  const name = namer(row, readBody, connections);

  return carrier(row, options, async (context) => {
    if (context.credential !== undefined) await identify(context, connections);
    if (name !== undefined) await orCount(name(context), row, context, connections);
    await limit(row, context, connections);
    authorize(row, context.caller);
    if (readBody !== undefined && !isLimitedLater) await readBody(context);
    return toAnswer(await invoke(readRequest(context), context));
  });
}

/** A request whose body is refused counts all the same, by its head. */
async function orCount(
  naming: Promise<void>,
  row: Row,
  context: RequestContext,
  connections: Connections,
): Promise<void> {
  try {
    await naming;
  } catch (refused) {
    if (!(refused instanceof RateLimited)) await limit(row, context, connections);
    throw refused;
  }
}

/**
 * Carries requests through the steps: establishes from where each comes, refuses those that are over a bound,
 * sends what it comes to, answer or error, and writes its line of the access log.
 */
function carrier(
  row: Row | undefined,
  options: PipelineOptions,
  steps: (context: RequestContext) => Promise<Answer>,
): Pipeline {
  const { overload, invalid_requests, log } = options;
  const { requests } = overload;
  const begin = beginner(row, options);
  const write = accessLog(log, row);
  const send = sender(overload.clients);

  return (request, reply) => {
    const startedAt = performance.now();
    const context = begin(request);
    const { address, arriving } = context;

    const refused = refusal(address);

    function finish(answer: Outgoing, failure?: unknown): void {
      if (refused === undefined) requests.leave(address);
      arriving?.release();
      invalid_requests.count(address, answer.status, row);
      write(request, answer.status, performance.now() - startedAt, failure);
      // Answers that come of one frame leave together, when all of them are made.
      whenGathered(() => send(request, reply, answer));
    }

    if (refused !== undefined) finish(errorAnswer(refused), refused);
    else void steps(context).then(finish, (failure) => finish(errorAnswer(failure), failure));
  };

  /** Undefined, and the request is under way, where no bound is met. */
  function refusal(address: string): Error | undefined {
    try {
      invalid_requests.admit(address);
      overload.admit();
      requests.enter(address);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}

/** Establishes from where a request comes, and with what. */
function beginner(
  row: Row | undefined,
  { trusted_proxies, overload }: PipelineOptions,
): (request: FastifyRequest) => RequestContext {
  const ipOf = clientIp(trusted_proxies);
  const hasBody = row !== undefined && row.body !== 'none';
  return (request) => {
    const { raw, id: requestId, headers } = request;
    const ip = ipOf(raw.socket.remoteAddress, headers['x-forwarded-for'] as string | undefined);
    const address = ipGroup(ip);
    return {
      request,
      requestId,
      ip,
      address,
      credential: readCredential(raw),
      caller: anonymous(ip, headers['user-agent']),
      arriving: hasBody ? requestBody(raw, address, overload) : undefined,
      body: undefined,
      long: undefined,
      naming: NAMES_NOTHING,
    };
  };
}

function errorAnswer(failure: unknown): Outgoing {
  return { content_type: 'application/json; charset=utf-8', ...httpError(failure) };
}
