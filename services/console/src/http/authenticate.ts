import { TLSSocket } from 'node:tls';
import { unauthorized } from '@gatehouse/kit/fault';
import { clientIp, isTrustedPeer } from '@gatehouse/kit/net/client-ip';
import { peerName } from '@gatehouse/kit/rpc/tls/peer-name';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { isOperatorName } from '../operators/operator-form.ts';
import { fingerprint, isOperatorToken, isSecret, secretHash } from '../secrets.ts';
import { insertEndedAction } from '../store/actions.ts';
import { findOperator, markSeen } from '../store/operators.ts';
import { deleteSession, findSession, type SessionRow, touchSession } from '../store/sessions.ts';
import { findToken } from '../store/tokens.ts';
import { tokenOfCookie } from './cookie.ts';
import { requireOwnSite } from './origin.ts';
import type { SignedIn } from './signed-in.ts';

/** Finds the operator of a request: by token, by certificate, by a proxy's header, or by session. */
export type Authenticate = (request: FastifyRequest) => Promise<SignedIn>;

/** Finds the address of a request's client. */
export type AddressOf = (request: FastifyRequest) => string;

export function addressOf({ config, log }: Pick<Deps, 'config' | 'log'>): AddressOf {
  const ipOf = clientIp(config.trusted_proxies, log);
  return ({ socket, headers }) => {
    const forwarded = headers['x-forwarded-for'];
    return ipOf(socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join(',') : forwarded);
  };
}

/** All credentials but tokens are sent by browsers of their own accord, so changes with them are checked for CSRF. */
export function authenticator(deps: Deps): Authenticate {
  const ipOf = addressOf(deps);
  const nameOfHeader = headerReader(deps);
  return async (request) => {
    const ip = ipOf(request);
    const { authorization } = request.headers;
    const operator =
      authorization === undefined
        ? await byBrowser(deps, request, ip, nameOfHeader)
        : await byToken(deps, authorization, ip);
    if (operator === undefined) throw unauthorized();
    if (!operator.enrolling) await markSeen(deps.db, operator.name);
    return operator;
  };
}

async function byToken({ db }: Deps, authorization: string, ip: string): Promise<SignedIn | undefined> {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
  const found = isOperatorToken(token) ? await findToken(db, secretHash(token)) : undefined;
  return found && { ...found, ip, by: 'token', session: undefined, enrolling: false, has_factor: true };
}

async function byBrowser(
  deps: Deps,
  request: FastifyRequest,
  ip: string,
  nameOfHeader: (request: FastifyRequest) => string | undefined,
): Promise<SignedIn | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnSite(request);
  const certified = nameOfCertificate(request);
  if (certified !== undefined) return byName(deps, certified, 'certificate', ip);
  const named = nameOfHeader(request);
  if (named !== undefined) return byName(deps, named, 'header', ip);
  return bySession(deps, request, ip);
}

async function byName(
  { db }: Deps,
  name: string,
  by: 'certificate' | 'header',
  ip: string,
): Promise<SignedIn | undefined> {
  const found = isOperatorName(name) ? await findOperator(db, name) : undefined;
  if (found === undefined) return undefined;
  return { name, role: found.role, ip, by, session: undefined, enrolling: false, has_factor: true };
}

async function bySession(deps: Deps, request: FastifyRequest, ip: string): Promise<SignedIn | undefined> {
  const token = tokenOfCookie(request.headers.cookie);
  if (token === undefined || !isSecret(token)) return undefined;
  const session = secretHash(token);
  const found = await findSession(deps.db, session);
  if (found === undefined) return undefined;
  if (found.ip !== ip) {
    await endMoved(deps, session, found, ip);
    return undefined;
  }
  if (found.is_stale) await touchSession(deps.db, session);
  const { name, role, enrolling, has_factor } = found;
  return { name, role, ip, by: 'session', session, enrolling, has_factor };
}

/** A cookie from another address is taken for a stolen one. One of several simultaneous requests writes the line. */
async function endMoved(
  { db, log }: Deps,
  session: Buffer,
  { name, role, ip: opened_from }: SessionRow,
  ip: string,
): Promise<void> {
  if (!(await deleteSession(db, session))) return;
  log.warn({ operator: name, ip }, 'a session was used from another address, and ended');
  await insertEndedAction(db, {
    operator: name,
    role,
    ip,
    action: 'session.moved',
    target: `session:${fingerprint(session)}`,
    reason: 'The session was used from another address than the one that opened it.',
    outcome: 'done',
    detail: { opened_from },
  });
}

/** The operator that a client certificate names: its first DNS label, or its common name. */
function nameOfCertificate({ socket }: FastifyRequest): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  if (certificate.subject === undefined) return undefined;
  if (certificate.subjectaltname !== undefined) return peerName(certificate.subjectaltname);
  const common_name: unknown = certificate.subject.CN;
  return typeof common_name === 'string' ? common_name.toLowerCase() : undefined;
}

/** Reads the header in which a trusted proxy names the operator. From other peers it counts for nothing. */
function headerReader({ config }: Deps): (request: FastifyRequest) => string | undefined {
  const { operator_header, trusted_proxies } = config;
  if (operator_header === undefined) return () => undefined;
  const isTrusted = isTrustedPeer(trusted_proxies);
  return ({ socket, headers }) => {
    const name = headers[operator_header];
    return isTrusted(socket.remoteAddress) && typeof name === 'string' && name !== '' ? name : undefined;
  };
}
