import { freePort } from '@gatehouse/dev-env/free-port';
import { silentLogger } from '@gatehouse/kit/log';
import {
  type Call,
  type Handler,
  type Handlers,
  implement,
  type MethodDefinition,
  serve,
} from '@gatehouse/kit/rpc';
import { BUCKETS } from '@gatehouse/proto/buckets';
import { type Bucket, type CheckRequest, type Denial, FailurePolicy } from '@gatehouse/proto/ratelimit';
import {
  endpointOf,
  messageName,
  SERVICE_NAMES,
  SERVICES,
  type ServiceName,
  type Services,
} from '../../src/service-definitions.ts';
import { authAnswers, oauth2Answers } from './credentials.ts';
import { type Realtime, startRealtime } from './realtime.ts';
import { sampleMessage } from './sample-message.ts';
import { channel, guild, message, user, webhook } from './samples.ts';

export { ACCESS_TOKEN, BOT, SECOND_SESSION, SESSION, WITHOUT_SCOPES } from './credentials.ts';

/** Answers that a test gives for the peers. */
export type Answers = { [S in ServiceName]?: Partial<Handlers<Services[S]>> };

/** A call to a peer. */
export interface PeerCall {
  readonly service: ServiceName;
  readonly rpc: string;
  readonly request: unknown;
  readonly call: Call;
}

/** Fakes of the services behind the edge, on real ports. */
export interface Peers {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly realtime: Realtime;
  /** The calls for requests since the last reset, in the order of arrival. */
  readonly calls: PeerCall[];
  /** Answers in place of the usual ones. */
  answers: Answers;
  /** Ratelimit's denial of everything; undefined: it admits. */
  denial: Denial | undefined;
  stop(service: ServiceName): Promise<void>;
  /** Starts a stopped peer again on its port. */
  restart(service: ServiceName): Promise<void>;
  /** Forgets the calls and resets the answers. */
  reset(): void;
  close(): Promise<void>;
}

export async function startPeers(): Promise<Peers> {
  const running = new Map<ServiceName, { close(): Promise<void> }>();
  const addresses: Partial<Record<ServiceName, string>> = {};

  const realtime = await startRealtime();
  const peers: Peers = {
    addresses: addresses as Record<ServiceName, string>,
    realtime,
    calls: [],
    answers: {},
    denial: undefined,
    stop: async (service) => {
      await running.get(service)?.close();
      running.delete(service);
    },
    restart: (service) => open(service),
    reset: () => {
      peers.calls.length = 0;
      peers.answers = {};
      peers.denial = undefined;
    },
    close: async () => {
      await Promise.all([realtime, ...running.values()].map((server) => server.close()));
    },
  };

  const usual = usualAnswers(peers);
  async function open(service: ServiceName): Promise<void> {
    const server = await serve({
      address: addresses[service] ?? `127.0.0.1:${await freePort()}`, // nobody takes it before a restart
      implementations: [implement(SERVICES[service], answering(peers, service, usual[service]))],
      log: silentLogger,
    });
    addresses[service] = server.address;
    running.set(service, server);
  }

  await Promise.all(SERVICE_NAMES.map(open));
  return peers;
}

/** The edge's own calls. They come at any time, and belong to no request. */
const OWN_CALLS = ['listBuckets', 'recordRefusals', 'reportUsage'];

/**
 * Handlers for every RPC of a service, which record each call for a request. They answer as the test wants, otherwise as
 * usual, otherwise with a sample of the response message: a new RPC needs nothing here.
 */
function answering<S extends ServiceName>(
  peers: Peers,
  service: S,
  usual: Partial<Handlers<Services[S]>> = {},
): Handlers<Services[S]> {
  const methods: Readonly<Record<string, MethodDefinition>> = SERVICES[service].methods;
  const handlers = Object.entries(methods).map(([rpc, method]) => {
    const sample = () => sampleMessage(messageName(endpointOf(method), 'Response'));
    const answer: Handler<unknown, unknown> = (request, call) => {
      if (!OWN_CALLS.includes(rpc)) peers.calls.push({ service, rpc, request, call });
      const wanted = (peers.answers[service] as Record<string, unknown> | undefined)?.[rpc];
      const handler = wanted ?? (usual as Record<string, unknown>)[rpc] ?? sample;
      return (handler as Handler<unknown, unknown>)(request, call);
    };
    return [rpc, answer];
  });
  return Object.fromEntries(handlers) as Handlers<Services[S]>;
}

/** The usual answers. */
function usualAnswers(peers: Peers): Answers {
  return {
    ratelimit: {
      check: () => ({ denial: peers.denial ?? null, degraded: false }),
      peek: ({ charges }) => ({
        states: charges.map(({ bucket }) => {
          const { limit, retry_after_us, empty_after_us } =
            peers.denial?.bucket === bucket ? peers.denial : NOTHING_DENIED;
          return { bucket, limit, remaining: retry_after_us > 0 ? 0 : limit, retry_after_us, empty_after_us };
        }),
      }),
      listBuckets: () => ({ buckets: servedBuckets(), revision: REVISION }),
    },
    auth: authAnswers,
    chat: {
      createGuild: ({ name }) => ({ guild: { ...guild, name } }),
      getGuild: ({ guild_id }) => ({ guild: { ...guild, id: guild_id } }),
      listGuildChannels: () => ({ channels: [channel] }),
      getChannel: () => ({ channel }),
      createMessage: ({ content }) => ({ message: { ...message, content: content ?? '' } }),
      getMessage: () => ({ message }),
    },
    oauth2: oauth2Answers,
    webhook_delivery: {
      createWebhook: () => ({ webhook: { ...webhook, user } }),
      getTokenWebhook: () => ({ webhook }),
      executeWebhook: ({ wait }) => ({ message: wait === 'true' ? message : null }),
    },
  };
}

const NOTHING_DENIED = { limit: 20, retry_after_us: 0, empty_after_us: 0 };

export const REVISION = '0123456789abcdef';

const POLICIES = {
  local: FailurePolicy.FAILURE_POLICY_LOCAL,
  open: FailurePolicy.FAILURE_POLICY_OPEN,
  closed: FailurePolicy.FAILURE_POLICY_CLOSED,
};

/** The reference that the edge was built with, as ratelimit serves it. */
export function servedBuckets(): Bucket[] {
  return Object.entries(BUCKETS).map(([name, { limit, window_seconds, key, policy }]) => ({
    name,
    limit,
    window_seconds,
    key: [...key],
    aliases: [],
    policy: POLICIES[policy],
  }));
}

/** The Check requests among the calls, in order. */
export function checks({ calls }: Peers): CheckRequest[] {
  return calls.filter(({ rpc }) => rpc === 'check').map(({ request }) => request as CheckRequest);
}

/** The charges of the one request since the last reset: `bucket identities…` per charge, a list per set. */
export function charged(peers: Peers): string[][] {
  const [check, ...more] = checks(peers);
  if (more.length > 0) throw new Error('more than one Check was made');
  return (check?.sets ?? []).map(({ charges }) =>
    charges.map(({ bucket, identities }) => [bucket, ...identities].join(' ')),
  );
}
