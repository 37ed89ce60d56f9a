import { randomBytes } from 'node:crypto';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { Deps } from '../deps.ts';
import { registerAccounts } from './accounts.ts';
import { registerActions } from './actions.ts';
import { registerApplications } from './applications.ts';
import { authenticator } from './authenticate.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { registerEnrol } from './enrol.ts';
import { registerGuilds } from './guilds.ts';
import { commonHeaders } from './headers.ts';
import { httpError } from './http-error.ts';
import { registerLimits } from './limits.ts';
import { registerLog } from './log.ts';
import { registerOperators } from './operators.ts';
import { requireOwnHost } from './origin.ts';
import { registerOverview } from './overview.ts';
import { registerPages } from './pages.ts';
import { httpServer } from './server.ts';
import { registerSignIn } from './sign-in.ts';
import { operatorOf } from './signed-in.ts';
import type { ServerTls } from './tls.ts';
import { registerWebhooks } from './webhooks.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_PATH_PART = 512;

/** The HTTP server of pages and of the API for them and for commands. Each area registers its own routes. */
export function buildApp(deps: Deps, tls?: ServerTls): FastifyInstance {
  const headers = commonHeaders(tls !== undefined);
  const app = newApp(tls, headers);
  app.decorateRequest('operator', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    requireOwnHost(request, deps.config.url);
  });
  app.addHook('onResponse', async (request, reply) => {
    if (!request.url.startsWith('/api/')) return;
    deps.log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        operator: request.operator?.name,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
  app.setErrorHandler((error, _request, reply) => sendError(error, reply, headers, deps.log));
  registerPages(app);
  app.register((open, _options, done) => {
    registerSignIn(open, deps);
    done();
  });
  const authenticate = authenticator(deps);
  app.register((enrolling, _options, done) => {
    enrolling.addHook('onRequest', async (request) => {
      request.operator = await authenticate(request);
    });
    registerEnrol(enrolling, deps);
    done();
  });
  app.register((api, _options, done) => {
    api.addHook('onRequest', async (request) => {
      request.operator = await authenticate(request);
      if (operatorOf(request).enrolling) throw unauthorized();
    });
    registerAreas(api, deps);
    done();
  });
  return app;
}

/** The routes of signed-in operators: every role may read all of them. */
function registerAreas(api: FastifyInstance, deps: Deps): void {
  registerAccounts(api, deps);
  registerApplications(api, deps);
  registerWebhooks(api, deps);
  registerGuilds(api, deps);
  registerLimits(api, deps);
  registerOperators(api, deps);
  registerLog(api, deps);
  registerOverview(api, deps);
  registerActions(api, deps);
}

function newApp(tls: ServerTls | undefined, headers: Readonly<Record<string, string>>): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => randomBytes(12).toString('hex'),
    routerOptions: { maxParamLength: MAX_PATH_PART },
    serverFactory: (handle) => httpServer(handle, tls),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, headers),
    frameworkErrors: (error, _request, reply) => void sendError(error, reply, headers),
  });
  // Forms of other sites can send this type without a preflight.
  app.removeContentTypeParser('text/plain');
  return app;
}

function sendError(
  error: unknown,
  reply: FastifyReply,
  common: Readonly<Record<string, string>>,
  log?: Logger,
): FastifyReply {
  const { status, headers, body } = httpError(error);
  if (status >= 500) log?.warn({ err: error, request_id: reply.request.id }, 'a request failed');
  return reply.code(status).headers(common).headers(headers).send(body);
}
