import type { RateLimitServiceDefinition } from './gen/envoy/service/ratelimit/v3/rls.ts';
import type { AuthServiceDefinition } from './gen/gatehouse/auth/v1/auth.ts';
import type { ChatServiceDefinition } from './gen/gatehouse/chat/v1/chat.ts';
import type { MediaServiceDefinition } from './gen/gatehouse/media/v1/media.ts';
import type { Oauth2ServiceDefinition } from './gen/gatehouse/oauth2/v1/oauth2.ts';
import type { RatelimitServiceDefinition } from './gen/gatehouse/ratelimit/v1/ratelimit.ts';
import type { RealtimeServiceDefinition } from './gen/gatehouse/realtime/v1/realtime.ts';
import type { WebhookDeliveryServiceDefinition } from './gen/gatehouse/webhook_delivery/v1/webhook_delivery.ts';

/** The processes that serve gRPC, by the names that their certificates give them. */
export type ServerName = 'ratelimit' | 'auth' | 'chat' | 'oauth2' | 'webhook-delivery' | 'media' | 'realtime';

/**
 * All that have certificates: the edge, the services, the command-line tools, Envoy or who speaks its protocol, the Envoy
 * that clients of gRPC go through, and whatever other services of the platform use limits.
 */
export const PEERS = [
  'gateway',
  'ratelimit',
  'auth',
  'chat',
  'oauth2',
  'webhook-delivery',
  'media',
  'realtime',
  'operator',
  'envoy',
  'envoy-internal',
  'platform',
] as const satisfies readonly (
  | ServerName
  | 'gateway'
  | 'operator'
  | 'envoy'
  | 'envoy-internal'
  | 'platform'
)[];
export type PeerName = (typeof PEERS)[number];

/** All RPCs of the service that no other row names. */
export const THE_OTHERS = 'all others';

/** Calls that are allowed. */
export interface AllowedCalls {
  readonly from: PeerName;
  readonly to: ServerName;
  /** Its full name. */
  readonly service: string;
  readonly rpcs: readonly string[] | typeof THE_OTHERS;
  /** What `from` says of the caller is believed; otherwise the caller is anonymous, whatever it says. */
  readonly names_caller: boolean;
}

// The definitions are types here: no process loads the contracts of all others.
const ratelimit = callsTo<typeof RatelimitServiceDefinition>(
  'ratelimit',
  'gatehouse.ratelimit.v1.RatelimitService',
);
const envoyRatelimit = callsTo<typeof RateLimitServiceDefinition>(
  'ratelimit',
  'envoy.service.ratelimit.v3.RateLimitService',
);
const auth = callsTo<typeof AuthServiceDefinition>('auth', 'gatehouse.auth.v1.AuthService');
const chat = callsTo<typeof ChatServiceDefinition>('chat', 'gatehouse.chat.v1.ChatService');
const oauth2 = callsTo<typeof Oauth2ServiceDefinition>('oauth2', 'gatehouse.oauth2.v1.Oauth2Service');
const webhookDelivery = callsTo<typeof WebhookDeliveryServiceDefinition>(
  'webhook-delivery',
  'gatehouse.webhook_delivery.v1.WebhookDeliveryService',
);
const media = callsTo<typeof MediaServiceDefinition>('media', 'gatehouse.media.v1.MediaService');
const realtime = callsTo<typeof RealtimeServiceDefinition>(
  'realtime',
  'gatehouse.realtime.v1.RealtimeService',
);

/** Calls between processes, all there are: what is not here is denied. ARCHITECTURE.md says what each is for. */
export const CALLS: readonly AllowedCalls[] = [
  ratelimit('gateway', ['Check', 'Peek', 'ListBuckets']),
  auth('gateway', THE_OTHERS, 'for the caller'),
  auth('gateway', ['Identify', 'GetCurrentUser'], 'for the caller'),
  chat('gateway', THE_OTHERS, 'for the caller'),
  oauth2('gateway', THE_OTHERS, 'for the caller'),
  webhookDelivery('gateway', THE_OTHERS, 'for the caller'),
  chat('webhook-delivery', ['AuthorizeWebhooks', 'ListWebhookChannels'], 'for the caller'),
  chat('webhook-delivery', [
    'RecordWebhookChange',
    'FindNamedAvatars',
    'CreateWebhookMessage',
    'GetWebhookMessage',
    'UpdateWebhookMessage',
    'DeleteWebhookMessage',
  ]),
  auth('webhook-delivery', ['GetUsers']),
  auth('chat', ['GetUsers']),
  ratelimit('chat', ['TakeSlowmode', 'PeekSlowmode', 'TakeProfileChanges']),
  webhookDelivery('chat', ['EndChannels']),
  ratelimit('auth', ['TakeProfileChanges']),
  oauth2('auth', ['EndAccount']),
  media('gateway', THE_OTHERS),
  media('auth', ['StorePicture', 'KeepPicture', 'DropUploads']),
  media('chat', ['StorePicture', 'KeepPicture', 'DropUploads']),
  media('webhook-delivery', [
    'StorePicture',
    'PublishPicture',
    'ListPublishedPictures',
    'SettlePublishedPictures',
    'DropUploads',
  ]),
  chat('oauth2', ['InstallBot'], 'for the caller'),
  chat('oauth2', ['RemoveBot']),
  auth('oauth2', ['CreateBot', 'DeleteBot', 'GetUsers', 'UpdateBot']),
  auth('oauth2', ['GetCurrentUser'], 'for the caller'),
  auth('realtime', ['Identify', 'GetUsers', 'ReadEvents']),
  auth('realtime', ['GetCurrentUser'], 'for the caller'),
  chat('realtime', ['ReadEvents', 'GetEvents', 'GetGuildStates']),
  realtime('realtime', ['ReleaseSession', 'PrepareSessions', 'AcceptSessions']),
  auth('operator', ['ListSecurityEvents', 'Reencrypt', 'ReadEvents']),
  chat('operator', ['ReadEvents', 'GetEvents', 'GetGuildStates']),
  webhookDelivery('operator', ['ListDeliveries']),
  ratelimit('operator', [
    'Check',
    'CheckMany',
    'Explain',
    'GetStatistics',
    'ListBuckets',
    'Peek',
    'Refund',
    'Reset',
  ]),
  envoyRatelimit('envoy', ['ShouldRateLimit']),
  ratelimit('platform', ['Check', 'CheckMany', 'ListBuckets', 'Peek']),
  // What it passes on; deploy/envoy/internal.yaml says for whom.
  envoyRatelimit('envoy-internal', ['ShouldRateLimit']),
  ratelimit('envoy-internal', ['Check', 'CheckMany', 'ListBuckets', 'Peek']),
];

/** What a server lets its peers do, by their names. */
export interface PeerRules {
  /** Whether a peer may call the method with this path, "/package.Service/Method". */
  allows(peer: string, path: string): boolean;
  /** Whether it may say there on whose behalf it calls. */
  mayNameCaller(peer: string, path: string): boolean;
}

export function peerRules(server: ServerName): PeerRules {
  const rows = CALLS.filter(({ to }) => to === server);
  const named = new Set(rows.flatMap(pathsNamed));
  const rowOf = (peer: string, path: string): AllowedCalls | undefined =>
    rows.find((row) => {
      if (row.from !== peer) return false;
      if (row.rpcs === THE_OTHERS) return path.startsWith(`/${row.service}/`) && !named.has(path);
      return pathsNamed(row).includes(path);
    });
  return {
    allows: (peer, path) => rowOf(peer, path) !== undefined,
    mayNameCaller: (peer, path) => rowOf(peer, path)?.names_caller === true,
  };
}

function pathsNamed({ service, rpcs }: AllowedCalls): string[] {
  return rpcs === THE_OTHERS ? [] : rpcs.map((rpc) => `/${service}/${rpc}`);
}

interface Definition {
  readonly fullName: string;
  readonly methods: { readonly [method: string]: { readonly name: string } };
}

/** Makes the function that writes rows about calls to a service. */
function callsTo<D extends Definition>(to: ServerName, service: D['fullName']) {
  return (
    from: PeerName,
    rpcs: readonly D['methods'][keyof D['methods']]['name'][] | typeof THE_OTHERS,
    names_caller?: 'for the caller',
  ): AllowedCalls => ({ from, to, service, rpcs, names_caller: names_caller !== undefined });
}
