import type { Logger } from '@gatehouse/kit/log';
import { afterTurn } from '@gatehouse/kit/rpc/turn';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessLog } from './access-log.ts';
import { clientIp } from './client-ip.ts';
import { type Exchange, NAMES_NOTHING } from './exchange.ts';
import { httpError, notFound } from './http-error.ts';
import { takeIn } from './intake.ts';
import type { Answer, Row } from './route.ts';
import { type Outgoing, send } from './send.ts';
import type { Connections } from './services.ts';
import { authorize } from './steps/authorize.ts';
import { bodyReader, releaseBody } from './steps/body.ts';
import { anonymous, identify, readCredential } from './steps/identify.ts';
import { invoker } from './steps/invoke.ts';
import { limit } from './steps/limit.ts';
import { namer } from './steps/naming.ts';
import { replier } from './steps/reply.ts';
import { requestReader } from './steps/request.ts';

export interface PipelineOptions {
  readonly connections: Connections;
  readonly trusted_proxies: readonly string[];
  readonly log: Logger;
}

/** Takes a request to its answer; never throws. */
export type Pipeline = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * A request's way, in the order of contract 4, section 3: identify, limit, authorize, read the body,
 * check its form, invoke, reply. `row` is undefined for requests that no row matches: they count like
 * any other, and are then not found.
 */
export function pipeline(row: Row | undefined, options: PipelineOptions): Pipeline {
  const { connections, trusted_proxies, log } = options;
  const begin = beginner(trusted_proxies);
  const finish = finisher(log, row);
  if (row === undefined) {
    return finish(async (request) => {
      const exchange = begin(request);
      await identify(exchange, connections);
      await limit(undefined, exchange, connections);
      throw notFound();
    });
  }

  const readRequest = requestReader(row);
  const invoke = invoker(row, connections);
  const toAnswer = replier(row);
  const readBody = bodyReader(row);
  const name = namer(row, readBody, connections);

  return finish(async (request) => {
    const exchange = begin(request);
    if (exchange.credential !== undefined) await identify(exchange, connections);
    if (name !== undefined) await orCount(name(exchange), row, exchange, connections);
    await limit(row, exchange, connections);
    authorize(row, exchange.caller);
    if (readBody !== undefined && name === undefined) exchange.body = await readBody(exchange);
    return toAnswer(await invoke(readRequest(exchange), exchange));
  });
}

/** A request whose body is refused counts all the same, by its head. */
async function orCount(
  naming: Promise<void>,
  row: Row,
  exchange: Exchange,
  connections: Connections,
): Promise<void> {
  try {
    await naming;
  } catch (refused) {
    await limit(row, exchange, connections);
    throw refused;
  }
}

/** Establishes from where a request comes, and with what. */
function beginner(trustedProxies: readonly string[]): (request: FastifyRequest) => Exchange {
  const ipOf = clientIp(trustedProxies);
  return (request) => {
    const { raw, id: requestId, headers } = request;
    const ip = ipOf(raw.socket.remoteAddress, headers['x-forwarded-for'] as string | undefined);
    return {
      request,
      requestId,
      ip,
      credential: readCredential(raw),
      caller: anonymous(ip, headers['user-agent']),
      body: undefined,
      naming: NAMES_NOTHING,
    };
  };
}

/** Sends what a request comes to, answer or error, and writes its line of the access log. */
function finisher(
  log: Logger,
  row: Row | undefined,
): (steps: (request: FastifyRequest) => Promise<Answer>) => Pipeline {
  const write = accessLog(log, row);
  return (steps) => (request, reply) => {
    const startedAt = performance.now();

    function finish(answer: Outgoing, failure?: unknown): void {
      releaseBody(request.raw);
      write(request, answer.status, performance.now() - startedAt, failure);
      // Answers that come of one frame leave together, when all of them are made.
      afterTurn(() => send(request, reply, answer));
    }

    takeIn(() => void steps(request).then(finish, (failure) => finish(errorAnswer(failure), failure)));
  };
}

function errorAnswer(failure: unknown): Outgoing {
  return { content_type: 'application/json; charset=utf-8', ...httpError(failure) };
}
