import { withSpan } from '@gatehouse/kit/trace/current-span';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Connections } from './connections.ts';
import type { ClientAddress } from './http/client-address.ts';
import { httpError, RateLimited } from './http/http-error.ts';
import { oauth2Error } from './http/oauth2-error.ts';
import type { BrowserCookie } from './http/sign-in-cookie.ts';
import type { InvalidRequests } from './limit/invalid-requests.ts';
import { type AccessLogOptions, accessLog } from './log/access-log.ts';
import type { Overload } from './overload/overload.ts';
import type { RefusedDeliveries } from './refusals/refused-deliveries.ts';
import { type RequestContext, requestContext } from './request-context.ts';
import type { Answer, Route } from './route.ts';
import { sender } from './send.ts';
import { authorize } from './steps/authorize.ts';
import { bodyLimitsReader, isLimitedByBody, NO_BODY_LIMITS } from './steps/body-keyed-limits.ts';
import { identify, identifyAgain } from './steps/identify.ts';
import { invoker } from './steps/invoke.ts';
import { earlyLimit, limit } from './steps/limit.ts';
import { bodyReader, NO_BODY } from './steps/read-body.ts';
import { replier } from './steps/reply.ts';
import { requestReader } from './steps/request.ts';
import { authorizeCookie, cookieIdentifier } from './steps/sign-in-cookie.ts';
import type { ApplicationUsage } from './usage/application-usage.ts';
import { type AsPage, asItIs } from './web/unavailable-page.ts';

export interface PipelineOptions extends AccessLogOptions {
  readonly connections: Connections;
  readonly overload: Overload;
  readonly invalid_requests: InvalidRequests;
  readonly refused_deliveries: RefusedDeliveries;
  readonly usage: ApplicationUsage;
  readonly ipOf: ClientAddress;
  readonly oauth2_errors: 'off' | 'rfc6749';
  readonly cookie: BrowserCookie;
  /** Whether this process is about to end: clients should connect elsewhere. */
  readonly isDraining: () => boolean;
  /** A page in place of an error, for a person who has opened the address. */
  readonly asPage?: AsPage;
}

/** Handles a request and sends its answer. Never throws. */
export type Pipeline = (request: FastifyRequest, reply: FastifyReply) => void;

/** The steps of a request, from its context to its answer. An error of a step ends them. */
type Steps = (context: RequestContext) => Promise<Answer>;

/** Makes the pipeline of a route. */
export function pipeline(route: Route, options: PipelineOptions): Pipeline {
  const steps = isLimitedByBody(route) ? limitedByBody(route, options) : limitedByHead(route, options);
  return runner(route, steps, options);
}

/**
 * Makes the pipeline of requests without a row in the route table: they count against the global bucket, and no service
 * answers them. `path` is that of the log; undefined if they match nothing.
 */
export function rowlessPipeline(
  answer: (context: RequestContext) => Promise<Answer>,
  options: PipelineOptions,
  path?: string,
): Pipeline {
  const { connections } = options;
  const steps: Steps = async (context) => {
    const caller = await identify(context, connections);
    await limit(undefined, context, caller, NO_BODY_LIMITS, connections);
    return answer(context);
  };
  return runner(undefined, steps, options, path);
}

/** The steps of most routes: the request's head decides its limits, and the body is read after them. */
function limitedByHead(route: Route, { connections, cookie }: PipelineOptions): Steps {
  const { readBody, readRequest, invoke, toAnswer } = commonSteps(route, connections, cookie);
  const identifyByCookie = cookieIdentifier(route, connections, cookie);
  const limitEarly = earlyLimit(route, connections);

  return async (context) => {
    const charged = limitEarly?.(context); // at the same time as `identify`, if the caller makes no difference
    let caller = await identify(context, connections);
    await (charged ?? limit(route, context, caller, NO_BODY_LIMITS, connections));
    if (identifyByCookie !== undefined) caller = await identifyByCookie(context, caller);
    authorize(route, caller);
    authorizeCookie(route, context, cookie);
    const identified_ms = performance.now();
    let body = await readBody(context, caller);
    caller = await identifyAgain(context, caller, identified_ms, connections);
    authorize(route, caller);
    const request = readRequest(context, body);
    body = NO_BODY; // frees parsed JSON, which may take many times its length, while the service works
    return toAnswer(await invoke(request, caller, context));
  };
}

/** The steps of routes whose limits need the body, such as an email address in it: the body is read before them. */
function limitedByBody(route: Route, { connections, cookie }: PipelineOptions): Steps {
  const { readBody, readRequest, invoke, toAnswer } = commonSteps(route, connections, cookie);
  const readBodyLimits = bodyLimitsReader(route, connections);

  return async (context) => {
    let caller = await identify(context, connections);
    const identified_ms = performance.now();
    let body = NO_BODY;
    let bodyLimits = NO_BODY_LIMITS;
    let failure: unknown;
    try {
      body = await readBody(context, caller);
      bodyLimits = await readBodyLimits(body.members, caller, context.requestId);
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      failure = error; // the request still counts, with the identities of its head
    }
    await limit(route, context, caller, bodyLimits, connections);
    if (failure !== undefined) throw failure;
    caller = await identifyAgain(context, caller, identified_ms, connections);
    authorize(route, caller);
    const request = readRequest(context, body);
    body = NO_BODY; // frees it too
    return toAnswer(await invoke(request, caller, context));
  };
}

/** Makes the steps that every route has. */
function commonSteps(route: Route, connections: Connections, cookie: BrowserCookie) {
  return {
    readBody: bodyReader(route, connections),
    readRequest: requestReader(route, cookie),
    invoke: invoker(route, connections),
    toAnswer: replier(route, cookie),
  };
}

/** Runs the steps of a request unless a bound refuses it, sends its answer or error, and logs it. */
function runner(
  route: Route | undefined,
  steps: Steps,
  options: PipelineOptions,
  path = route?.path,
): Pipeline {
  const { overload, invalid_requests, refused_deliveries, usage, isDraining } = options;
  const { trace, asPage = asItIs } = options;
  const toError = route?.oauth2_errors && options.oauth2_errors === 'rfc6749' ? oauth2Error : httpError;
  const { requests } = overload;
  const contextOf = requestContext(route, options);
  const writeLog = accessLog(options, path);
  const send = sender(overload.clients, isDraining);

  return (request, reply) => {
    const startedAt = performance.now();
    const span = trace?.(request, path);
    const context = contextOf(request, reply);
    const { ipGroup, incoming } = context;
    const refusal = enter(ipGroup);

    function finish(answer: Answer, failure?: unknown): void {
      if (refusal === undefined) requests.leave(ipGroup);
      incoming?.release();
      invalid_requests.count(ipGroup, answer.status, route);
      refused_deliveries.count(route, answer.status, request.params);
      usage.count(route, context, answer.status, failure);
      writeLog(request, answer.status, performance.now() - startedAt, failure, span);
      send(request, reply, asPage(request, withHeaders(answer)));
    }

    if (refusal !== undefined) finish(errorAnswer(refusal), refusal);
    else
      void withSpan(span, () => steps(context)).then(finish, (failure) =>
        finish(errorAnswer(failure), failure),
      );
  };

  function withHeaders(answer: Answer): Answer {
    if (route?.answer_headers === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, ...route.answer_headers } };
  }

  function errorAnswer(failure: unknown): Answer {
    return { content_type: 'application/json', ...toError(failure) };
  }

  /** Counts a request as under way, or returns the reason to refuse it. */
  function enter(ipGroup: string): Error | undefined {
    try {
      invalid_requests.admit(ipGroup);
      overload.admit();
      requests.enter(ipGroup);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}
