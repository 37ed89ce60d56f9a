import type { Branding } from '@gatehouse/kit/process/branding';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { addApiDocuments } from './api-documents/add-api-documents.ts';
import { addDevMail } from './dev-mail/add-dev-mail.ts';
import { addHealth, isHealthProbe, type Readiness } from './health.ts';
import { answerBrokenRequest, headTooLong, notHttp } from './http/broken-request.ts';
import { addCommonHeaders, answerPreflight } from './http/common-headers.ts';
import { httpError, notFound } from './http/http-error.ts';
import { headerCount, MAX_HEADERS, requestId } from './http/request-headers.ts';
import { httpServer } from './http-server.ts';
import { addMedia } from './media/media.ts';
import { type PipelineOptions, pipeline, rowlessPipeline } from './pipeline.ts';
import type { Route } from './route.ts';
import { addServerMetadata } from './server-metadata.ts';
import { addStatus } from './status/status-page.ts';
import type { Tunnels } from './tunnel/tunnels.ts';
import { addUpgradeRequired } from './tunnel/upgrade-required.ts';
import { unknownMethodHandler } from './unknown-method.ts';
import { type AnswerUnmatched, addWeb } from './web/web.ts';

const PREFIX = '/api/v1';
const MAX_HEADER_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json';
/**
 * The pipeline parses the query itself, and only the route's own parameters: a long query that is parsed completely
 * takes a hundred times its length.
 */
const NO_QUERY = Object.freeze({});
const FASTIFY_JSON = `${JSON_TYPE}; charset=utf-8`;

interface AppOptions extends PipelineOptions {
  readonly readiness: () => Promise<Readiness>;
  readonly tunnels: Tunnels;
  /** The folder of the built web app; undefined without one. */
  readonly web_dir?: string | undefined;
  readonly branding?: Branding | undefined;
  /** The folder of mails; undefined unless the suite runs in development. */
  readonly dev_mail_dir?: string | undefined;
  /** Whether /status exists. */
  readonly status_page?: boolean | undefined;
}

/** The HTTP server. Fastify finds the route of a request; the route's pipeline does the rest. */
export function buildApp(routes: readonly Route[], options: AppOptions): FastifyInstance {
  const { overload, tunnels, isDraining } = options;
  let answerUnknownMethod: ReturnType<typeof unknownMethodHandler> = () => false;
  const app = fastify({
    logger: false,
    genReqId: requestId,
    // The pipeline checks path parameters of any length, not the router.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: () => NO_QUERY },
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    serverFactory: (handle) => {
      const { clients, bounds } = overload;
      answerUnknownMethod = unknownMethodHandler({
        clients,
        handle,
        head_timeout_ms: bounds.headers_timeout_ms,
      });
      return httpServer({
        overload,
        tunnels,
        max_header_bytes: MAX_HEADER_BYTES,
        isProbe: isHealthProbe,
        handle,
      });
    },
    forceCloseConnections: 'idle',
    // While this process closes, it still answers requests on open connections.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      if (answerUnknownMethod(error, socket)) return;
      overload.clients.of(socket)?.ignoreRest();
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') overload.refusals.count('slow_requests');
      answerBrokenRequest(error, socket);
    },
    frameworkErrors: (_error, request, reply) => sendError(request, reply, notFound()),
  });
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    // For routes of the API, `send` does this with the answer.
    const isApiRoute = !request.is404 && isApi(request.url);
    if (!isApiRoute && isDraining() && overload.clients.of(request.raw.socket)?.isLastRequest() === true)
      reply.header('connection', 'close');
    if (request.method === 'OPTIONS') answerPreflight(request, reply);
    else done();
  });
  // Fastify adds a charset. JSON has none (RFC 8259 §11), and some clients accept JSON only without it.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.getHeader('content-type') === FASTIFY_JSON) reply.type(JSON_TYPE);
    done();
  });
  const { answerUnmatched, asPage } = addWeb(app, options);
  addDevMail(app, options, answerUnmatched);
  addRoutes(app, routes, { ...options, asPage }, answerUnmatched);
  addApiDocuments(app, PREFIX, options);
  addMedia(app, options);
  addServerMetadata(app, options);
  addStatus(app, options);
  addHealth(app, options);
  addUpgradeRequired(app, options);
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  return app;
}

/**
 * A pipeline runs as the onRequest hook of its route, before Fastify looks at the body or its content type:
 * authentication and limits come first.
 */
function addRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  options: PipelineOptions,
  answerUnmatched: AnswerUnmatched,
): void {
  for (const route of routes) {
    app.route({
      method: route.verb,
      url: PREFIX + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: isSafe(route),
      onRequest: pipeline(route, options),
      handler: unreachable,
    });
  }
  const unmatched = rowlessPipeline(() => Promise.reject(notFound()), options);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.rawHeaders.length > 2 * MAX_HEADERS) sendError(request, reply, headTooLong());
    else if (!hasValidHost(request)) sendError(request, reply, notHttp());
    else if (!request.is404) done();
    else if (!isApi(request.url)) answerUnmatched(request, reply) || sendError(request, reply, notFound());
    else unmatched(request, reply);
  });
  // The pipeline has answered every request without a route. Only a deleted file of the web app gets here.
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound()));
}

/** Whether a GET has no effect, so that HEAD may run it too. */
function isSafe({ method }: Route): boolean {
  return method.options.idempotencyLevel === 'NO_SIDE_EFFECTS';
}

function unreachable(): never {
  throw new Error('the pipeline has answered already');
}

/**
 * Whether the request has exactly one Host header; HTTP/1.0 needs none (RFC 9112 §3.2). Node's own check would answer
 * with an empty 400.
 */
function hasValidHost({ headers, raw }: FastifyRequest): boolean {
  if (headers.host === undefined) return raw.httpVersion !== '1.1';
  return headerCount(raw.rawHeaders, 'host') === 1;
}

function isApi(url: string): boolean {
  return url === PREFIX || url.startsWith(`${PREFIX}/`) || url.startsWith(`${PREFIX}?`);
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const { status, headers, body } = httpError(error);
  addCommonHeaders(request, reply);
  reply.code(status).headers(headers).type(JSON_TYPE).send(body);
}

/**
 * Escapes parts that the router cannot decode, so that the pipeline checks them unchanged, and decodes `%40`: some
 * clients encode the `@` of `@me`, and the router would not match that.
 */
function decodable(url: string): string {
  if (!url.includes('%')) return url;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const parts = path
    .split('/')
    .map((part) => (decodes(part) ? part.replaceAll('%40', '@') : part.replaceAll('%', '%25')));
  return parts.join('/') + url.slice(path.length);
}

function decodes(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
