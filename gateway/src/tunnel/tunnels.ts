import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Fault, internal, unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { ipGroup } from '@gatehouse/kit/net/client-ip';
import type { ClientAddress } from '../http/client-address.ts';
import { clientGone, httpError } from '../http/http-error.ts';
import { endWithError } from '../http/raw-answer.ts';
import { requestId } from '../http/request-headers.ts';
import type { InvalidRequests } from '../limit/invalid-requests.ts';
import { type AccessLog, accessLog } from '../log/access-log.ts';
import type { ErrorDocs } from '../log/error-docs.ts';
import type { Overload } from '../overload/overload.ts';
import { EarlyBytes } from './early-bytes.ts';
import { GATEWAY_PATH } from './is-upgrade.ts';
import { joinSockets, type OnBytes, passAnswer } from './join-sockets.ts';
import { KEEP_ALIVE_MS, type RealtimeReplicas, type Upstream } from './realtime-replicas.ts';
import { headWriter, type WriteHead } from './request-head.ts';

export interface TunnelsOptions {
  readonly replicas: RealtimeReplicas;
  readonly trusted_proxies: readonly string[];
  readonly ipOf: ClientAddress;
  readonly overload: Overload;
  readonly invalid_requests: InvalidRequests;
  readonly log: Logger;
  readonly docsOf: ErrorDocs;
}

/** The parts of an upgrade that its tunnel keeps. A tunnel may last for days, and the whole request would take memory. */
interface Upgrade {
  readonly client: Socket;
  readonly early: EarlyBytes;
  readonly request_id: string;
  /** The client's. */
  readonly ipGroup: string;
}

/** WebSockets of clients. The edge passes their bytes to a replica of realtime, and reads none of them. */
export class Tunnels {
  readonly #options: TunnelsOptions;
  readonly #writeHead: WriteHead;
  readonly #writeLog: AccessLog;
  readonly #clients = new Set<Socket>();

  constructor(options: TunnelsOptions) {
    const { log, docsOf } = options;
    this.#options = options;
    this.#writeHead = headWriter(options.trusted_proxies);
    this.#writeLog = accessLog({ log, docsOf }, GATEWAY_PATH);
  }

  count(): number {
    return this.#clients.size;
  }

  /** Takes over the connection of an upgrade. `first` are the bytes that came after the request. */
  open(request: IncomingMessage, client: Socket, first: Buffer): void {
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => undefined); // 'close' follows
    client.setTimeout(0);
    client.setKeepAlive(true, KEEP_ALIVE_MS);
    const upgrade = {
      client,
      early: new EarlyBytes(client, first),
      request_id: requestId(request),
      ipGroup: ipGroup(this.#options.ipOf(request)),
    };
    void this.#tunnel(upgrade, this.#connect(this.#admittedHead(request, upgrade), upgrade));
  }

  destroyAll(): void {
    for (const client of this.#clients) client.destroy();
  }

  /** Passes bytes on until the tunnel ends; then counts and logs it. */
  async #tunnel(upgrade: Upgrade, opening: Promise<Upstream>): Promise<void> {
    const { client, early, request_id, ipGroup } = upgrade;
    const { overload, invalid_requests } = this.#options;
    const startedAt_ms = performance.now();
    const finish = (status: number, failure?: unknown): void => {
      const elapsed_ms = performance.now() - startedAt_ms;
      invalid_requests.count(ipGroup, status, undefined);
      this.#writeLog({ id: request_id, method: 'GET' }, status, elapsed_ms, failure, undefined);
    };
    try {
      const upstream = await opening;
      overload.clients.of(client)?.afterHttp.tunnelTo(upstream.socket);
      await pass(client, upstream, early.take(), (bytes) => overload.clients.wrote(bytes));
      finish(upstream.status);
    } catch (error) {
      early.take();
      const failure = client.destroyed ? clientGone() : faultOf(error);
      if (!client.destroyed) refuse(client, failure, request_id);
      finish(httpError(failure).status, failure);
    }
  }

  /** The head for realtime, or the reason to refuse the upgrade. */
  #admittedHead(request: IncomingMessage, { request_id, ipGroup }: Upgrade): Buffer | Fault {
    const { overload, invalid_requests } = this.#options;
    try {
      invalid_requests.admit(ipGroup);
      overload.admit();
      if (this.#clients.size <= overload.bounds.max_tunnels) return this.#writeHead(request, request_id);
      overload.refusals.count('connections');
      return unavailable(new Error('no descriptor is left for another WebSocket'));
    } catch (error) {
      return faultOf(error);
    }
  }

  /** Connects to a replica. Until it answers, the upgrade counts as a request under way, and its kept bytes as a head. */
  async #connect(head: Buffer | Fault, { client, early, ipGroup }: Upgrade): Promise<Upstream> {
    if (head instanceof Fault) throw head;
    const { overload, replicas } = this.#options;
    const connection = overload.clients.of(client);
    const gone = new AbortController();
    const abort = (): void => gone.abort();
    overload.requests.enter(ipGroup);
    client.once('close', abort);
    early.onCount((bytes) => connection?.afterHttp.hold(head.length + bytes, ipGroup));
    try {
      return await replicas.open(head, gone.signal);
    } finally {
      early.onCount(() => undefined);
      connection?.afterHttp.hold(0, ipGroup);
      client.off('close', abort);
      overload.requests.leave(ipGroup);
    }
  }
}

/**
 * The client's bytes go only to a WebSocket. After any other answer, realtime could take them for a request, with headers
 * that the edge has not checked.
 */
async function pass(
  client: Socket,
  { socket, status }: Upstream,
  early: Buffer,
  onBytes: OnBytes,
): Promise<void> {
  if (status !== 101) {
    await passAnswer(client, socket, onBytes);
    return;
  }
  if (early.length > 0) socket.write(early);
  await joinSockets(client, socket, onBytes);
}

function refuse(client: Socket, fault: Fault, request_id: string): void {
  client.resume(); // drops the client's further bytes
  endWithError(fault, client, request_id);
}

function faultOf(error: unknown): Fault {
  return error instanceof Fault ? error : internal(error);
}
