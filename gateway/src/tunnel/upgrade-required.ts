import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notHttp } from '../http/broken-request.ts';
import { fault } from '../http/http-error.ts';
import { hasBody } from '../http/request-headers.ts';
import { type AccessLogOptions, accessLog } from '../log/access-log.ts';
import { logOnClose } from '../log/log-on-close.ts';
import { GATEWAY_PATH } from './is-upgrade.ts';

/** Answers requests for the real-time Gateway that are no upgrade (docs/gateway.md#connect). */
export function addUpgradeRequired(app: FastifyInstance, { log, docsOf }: AccessLogOptions): void {
  const writeLog = accessLog({ log, docsOf }, GATEWAY_PATH);
  const answer = (request: FastifyRequest, reply: FastifyReply): never => {
    const isBroken = request.headers.upgrade !== undefined && hasBody(request.raw);
    const failure = isBroken ? notHttp() : fault('UPGRADE_REQUIRED');
    logOnClose(writeLog, request, reply, { failure });
    if (!isBroken) addUpgradeHeaders(reply);
    throw failure;
  };
  for (const path of [GATEWAY_PATH, `${GATEWAY_PATH}/`]) app.get(path, answer);
}

/** RFC 9110 §15.5.22 */
function addUpgradeHeaders(reply: FastifyReply): void {
  const current = reply.getHeader('connection');
  reply
    .header('upgrade', 'websocket')
    .header('connection', current === undefined ? 'Upgrade' : `${current}, Upgrade`);
}
