import { Server as HttpsServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { prepareDatabase } from '@gatehouse/kit/db/prepare-database';
import { retentionJob } from '@gatehouse/kit/db/retention-job';
import type { Running } from '@gatehouse/kit/lifecycle';
import { hostAndPort, isLoopback } from '@gatehouse/kit/net/host-port';
import { type ProcessOverrides, startProcess } from '@gatehouse/kit/process/start-process';
import { implement } from '@gatehouse/kit/rpc';
import { ConsoleServiceDefinition } from '@gatehouse/proto/console';
import { peerRules } from '@gatehouse/proto/peers';
import type { FastifyInstance } from 'fastify';
import { openClients } from './clients.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { buildApp } from './http/app.ts';
import { followTls, readServerTls } from './http/tls.ts';
import { jobsLister } from './jobs/list-jobs.ts';
import { Processes } from './jobs/processes.ts';
import { prepareLocalOperator, writeLocalAccess } from './operators/local-operator.ts';
import { openOverview } from './overview/open-overview.ts';
import { consoleHandlers } from './rpc/index.ts';
import { openEncryption } from './sign-in/encryption.ts';
import { WrongSignIns } from './sign-in/wrong-sign-ins.ts';
import { EXPIRED } from './store/expired-rows.ts';

export interface Overrides extends ProcessOverrides {
  /** Called with the address of pages and of the HTTP API, host:port. */
  readonly onHttp?: (address: string) => void;
}

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
/** Open requests are cut off after this time: the process must end within 10 s. */
const DRAIN_TIMEOUT_MS = 5_000;
const CLOSE_IDLE_EVERY_MS = 100;

/** Runs the migrations only (the argument `migrate`). */
export function migrateDatabase({ database_url }: Config): Promise<void> {
  return prepareDatabase({ name: 'console', database_url, dir: MIGRATIONS });
}

/** Migrates the database, and serves ConsoleService, the pages and the HTTP API. */
export function start(config: Config, overrides: Overrides = {}): Promise<Running> {
  return startProcess({ name: 'console', config, ...overrides }, async (runtime) => {
    const { log, resources } = runtime;
    const db = await runtime.openDatabase({
      url: config.database_url,
      pool_size: config.database_pool_size,
      migrations: MIGRATIONS,
    });
    runtime.addJob('expired_rows', retentionJob({ db, log, expired: EXPIRED }));
    const jobs = new Processes({
      addresses: config.addresses,
      peer: (name) => runtime.peer(name),
      own: runtime.ownJobs(),
      log,
    });
    resources.add('processes', () => jobs.close());
    const clients = openClients(runtime, config.addresses);
    const listJobs = jobsLister(jobs, log);
    let url = config.url ?? '';
    const deps: Deps = {
      config,
      db,
      log,
      clients,
      jobs,
      listJobs,
      overview: openOverview(runtime, config, clients, listJobs),
      url: () => url,
      encryption: openEncryption(config.secret_key),
      wrong_sign_ins: new WrongSignIns(),
    };

    const tls = config.tls && readServerTls(config.tls);
    const app = buildApp(deps, tls);
    if (config.tls !== undefined && app.server instanceof HttpsServer)
      runtime.addJob('certificate', followTls(app.server, config.tls, log));
    resources.add('http', () => close(app));
    const listening = new URL(await app.listen(hostAndPort(config.http_listen)));
    url ||= ownUrl(listening);
    overrides.onHttp?.(listening.host);
    log.info({ url }, 'the console is served');
    if (config.local_operator) writeLocalAccess(config.local_dir, await prepareLocalOperator(deps));
    const handlers = implement(ConsoleServiceDefinition, consoleHandlers(deps));
    const address = await runtime.serve(config.listen, [handlers], peerRules('console'));
    jobs.addOwn(address);
    return address;
  });
}

/** Passkeys need a name: on this machine it is localhost. `::` is every address, also of this machine. */
function ownUrl({ protocol, hostname, port }: URL): string {
  const address = hostname.replace(/^\[|\]$/g, '');
  const host = address === '::' || isLoopback(address) ? 'localhost' : hostname;
  return `${protocol}//${host}:${port}`;
}

/** Takes no new connections, and lets requests under way end. */
async function close(app: FastifyInstance): Promise<void> {
  const closing = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(closing);
    clearTimeout(cutOff);
  }
}
