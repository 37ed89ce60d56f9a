import type { RateLimitServiceDefinition } from './gen/envoy/service/ratelimit/v3/rls.ts';
import type { AuthServiceDefinition } from './gen/gatehouse/auth/v1/auth.ts';
import type { AuthAdminServiceDefinition } from './gen/gatehouse/auth/v1/auth_admin.ts';
import type { ChatServiceDefinition } from './gen/gatehouse/chat/v1/chat.ts';
import type { ChatAdminServiceDefinition } from './gen/gatehouse/chat/v1/chat_admin.ts';
import type { ConsoleServiceDefinition } from './gen/gatehouse/console/v1/console.ts';
import type { MediaServiceDefinition } from './gen/gatehouse/media/v1/media.ts';
import type { Oauth2ServiceDefinition } from './gen/gatehouse/oauth2/v1/oauth2.ts';
import type { Oauth2AdminServiceDefinition } from './gen/gatehouse/oauth2/v1/oauth2_admin.ts';
import type { RatelimitServiceDefinition } from './gen/gatehouse/ratelimit/v1/ratelimit.ts';
import type { RatelimitAdminServiceDefinition } from './gen/gatehouse/ratelimit/v1/ratelimit_admin.ts';
import type { RealtimeServiceDefinition } from './gen/gatehouse/realtime/v1/realtime.ts';
import type { WebhookDeliveryServiceDefinition } from './gen/gatehouse/webhook_delivery/v1/webhook_delivery.ts';
import type { WebhookDeliveryAdminServiceDefinition } from './gen/gatehouse/webhook_delivery/v1/webhook_delivery_admin.ts';
import { ALL_OTHERS, type Contract, type Service } from './service.ts';

/**
 * The manifest: an entry for the edge and for each service, in the order of the ports that `npm start` assigns. A service
 * reads its own entry; `npm run generate` writes the deployments, the scrape targets and the tables from all of them.
 *
 * The generated definitions are types here, so no process loads the contracts of the others.
 */
export const SERVICES = {
  gateway: {
    folder: 'gateway',
    owns: 'the edge: routes, the pipeline, errors',
    ports: { http: 8080 },
    contracts: [],
    // Bodies and answers take as much memory again, outside of the heap.
    max_heap_mib: 192,
    pods: { max_replicas: 8, memory: { request: '512Mi', limit: '768Mi' } },
  },

  ratelimit: {
    folder: 'services/ratelimit',
    owns: 'limits: their reference, and their buckets',
    ports: { grpc: 8081 },
    contracts: [
      {
        name: 'gatehouse.ratelimit.v1.RatelimitService',
        callers: [
          {
            from: 'gateway',
            rpcs: ['Check', 'Peek', 'ListBuckets'],
            for: 'the limits of every request, and the rules behind them',
          },
          { from: 'auth', rpcs: ['TakeProfileChanges'], for: 'profile changes, before they are stored' },
          {
            from: 'chat',
            rpcs: ['TakeSlowmode', 'PeekSlowmode', 'TakeProfileChanges'],
            for: 'slowmode, after every other check; changes of member profiles',
          },
          {
            from: 'operator',
            rpcs: [
              'Check',
              'CheckMany',
              'CheckStream',
              'Explain',
              'GetStatistics',
              'ListBuckets',
              'Peek',
              'Refund',
              'Reset',
            ],
            for: 'commands that show and change limits',
          },
          {
            from: 'admin',
            rpcs: ['Explain', 'GetStatistics', 'ListBuckets', 'Peek', 'Reset'],
            for: 'operators’ actions on limits',
          },
          {
            from: 'console',
            rpcs: ['Explain', 'GetStatistics', 'ListBuckets', 'Peek', 'Reset'],
            for: 'pages and commands that explain limits',
          },
          {
            from: 'platform',
            rpcs: ['Check', 'CheckMany', 'CheckStream', 'ListBuckets', 'Peek', 'Refund'],
            for: 'the limits of other services of the platform',
          },
          {
            from: 'envoy-internal',
            rpcs: ['Check', 'CheckMany', 'CheckStream', 'ListBuckets', 'Peek', 'Refund'],
            for: 'calls of `platform` and `operator` that it forwards',
          },
        ],
      } as const satisfies Contract<typeof RatelimitServiceDefinition>,
      {
        name: 'gatehouse.ratelimit.v1.RatelimitAdminService',
        callers: [
          { from: 'admin', rpcs: ALL_OTHERS, for: 'operators’ actions' },
          { from: 'console', rpcs: ALL_OTHERS, for: 'pages and commands for operators' },
        ],
      } as const satisfies Contract<typeof RatelimitAdminServiceDefinition>,
      {
        name: 'envoy.service.ratelimit.v3.RateLimitService',
        callers: [
          { from: 'envoy', rpcs: ['ShouldRateLimit'], for: 'Envoy’s rate-limit filter' },
          { from: 'envoy-internal', rpcs: ['ShouldRateLimit'], for: 'calls of `envoy` that it forwards' },
        ],
      } as const satisfies Contract<typeof RateLimitServiceDefinition>,
    ],
    secrets: ['REDIS_URL', 'RATELIMIT_KEY_SECRET'],
    pods: { max_replicas: 4, memory: { request: '256Mi', limit: '512Mi' } },
  },

  auth: {
    folder: 'services/auth',
    owns: 'accounts, sessions, bots, second factors, mail',
    ports: { grpc: 8082 },
    contracts: [
      {
        name: 'gatehouse.auth.v1.AuthService',
        callers: [
          { from: 'gateway', rpcs: ALL_OTHERS, for: 'its routes', acts_for_callers: true },
          {
            from: 'gateway',
            rpcs: ['Identify', 'GetCurrentUser'],
            for: 'the account of a session or bot token; the current user',
            acts_for_callers: true,
          },
          { from: 'chat', rpcs: ['GetUsers'], for: 'public users: authors of messages, and mentions' },
          {
            from: 'oauth2',
            rpcs: ['CreateBot', 'DeleteBot', 'GetUsers', 'SetBotDisabled', 'UpdateBot'],
            for: 'the bot of an application, and its owner',
          },
          {
            from: 'oauth2',
            rpcs: ['GetCurrentUser'],
            for: 'the user of an access token, within its scopes',
            acts_for_callers: true,
          },
          { from: 'webhook-delivery', rpcs: ['GetUsers'], for: 'the public user who made a webhook' },
          {
            from: 'realtime',
            rpcs: ['Identify', 'GetUsers', 'ReadEvents'],
            for: 'the account of a token; public users; revoked credentials',
          },
          {
            from: 'realtime',
            rpcs: ['GetCurrentUser'],
            for: 'the user in READY and USER_UPDATE',
            acts_for_callers: true,
          },
          {
            from: 'operator',
            rpcs: ['ListSecurityEvents', 'Reencrypt', 'ReadEvents'],
            for: 'commands that show the logs, and re-encryption',
          },
        ],
      } as const satisfies Contract<typeof AuthServiceDefinition>,
      {
        name: 'gatehouse.auth.v1.AuthAdminService',
        callers: [
          { from: 'admin', rpcs: ALL_OTHERS, for: 'operators’ actions' },
          { from: 'console', rpcs: ALL_OTHERS, for: 'pages and commands for operators' },
        ],
      } as const satisfies Contract<typeof AuthAdminServiceDefinition>,
    ],
    database: { min_connections: 3 },
    workers: { from: 0, to: 255 },
    secrets: ['AUTH_SECRET_KEY', 'SMTP_URL'],
    pods: { max_replicas: 8, memory: { request: '512Mi', limit: '768Mi' } },
  },

  chat: {
    folder: 'services/chat',
    owns: 'guilds, channels, messages, the event log',
    ports: { grpc: 8083 },
    contracts: [
      {
        name: 'gatehouse.chat.v1.ChatService',
        callers: [
          { from: 'gateway', rpcs: ALL_OTHERS, for: 'its routes', acts_for_callers: true },
          {
            from: 'oauth2',
            rpcs: ['InstallBot'],
            for: 'installing a bot, with the caller’s permission',
            acts_for_callers: true,
          },
          {
            from: 'oauth2',
            rpcs: ['RemoveBot', 'CountBotGuilds'],
            for: 'removing the bot of a deleted application; its number of guilds',
          },
          { from: 'auth', rpcs: ['ExportAccount'], for: 'the data export of an account' },
          {
            from: 'webhook-delivery',
            rpcs: ['AuthorizeWebhooks', 'ListWebhookChannels'],
            for: 'permissions in channels',
            acts_for_callers: true,
          },
          {
            from: 'webhook-delivery',
            rpcs: [
              'RecordWebhookChange',
              'FenceWebhooks',
              'FindNamedAvatars',
              'CreateWebhookMessage',
              'GetWebhookMessage',
              'UpdateWebhookMessage',
              'DeleteWebhookMessage',
            ],
            for: 'changes of webhooks, and their messages',
          },
          {
            from: 'realtime',
            rpcs: ['ReadEvents', 'GetEvents', 'GetGuildStates'],
            for: 'events, resumes, and the state that a session starts with',
          },
          {
            from: 'operator',
            rpcs: ['ReadEvents', 'GetEvents', 'GetGuildStates'],
            for: 'commands that show the event log',
          },
        ],
      } as const satisfies Contract<typeof ChatServiceDefinition>,
      {
        name: 'gatehouse.chat.v1.ChatAdminService',
        callers: [
          { from: 'admin', rpcs: ALL_OTHERS, for: 'operators’ actions' },
          { from: 'console', rpcs: ALL_OTHERS, for: 'pages and commands for operators' },
        ],
      } as const satisfies Contract<typeof ChatAdminServiceDefinition>,
    ],
    database: { min_connections: 3 },
    workers: { from: 256, to: 511 },
    pods: { max_replicas: 8, memory: { request: '256Mi', limit: '512Mi' } },
  },

  oauth2: {
    folder: 'services/oauth2',
    owns: 'applications, consent, codes and tokens',
    ports: { grpc: 8084 },
    contracts: [
      {
        name: 'gatehouse.oauth2.v1.Oauth2Service',
        callers: [
          {
            from: 'gateway',
            rpcs: ALL_OTHERS,
            for: 'its routes; the account of an access token',
            acts_for_callers: true,
          },
          { from: 'gateway', rpcs: ['ReportUsage'], for: 'how applications use the API' },
          { from: 'auth', rpcs: ['EndAccount'], for: 'the applications and tokens of a deleted account' },
          { from: 'auth', rpcs: ['SetAccountSuspended'], for: 'which accounts are suspended' },
          { from: 'auth', rpcs: ['ExportAccount'], for: 'the data export of an account' },
        ],
      } as const satisfies Contract<typeof Oauth2ServiceDefinition>,
      {
        name: 'gatehouse.oauth2.v1.Oauth2AdminService',
        callers: [
          { from: 'admin', rpcs: ALL_OTHERS, for: 'operators’ actions' },
          { from: 'console', rpcs: ALL_OTHERS, for: 'pages and commands for operators' },
        ],
      } as const satisfies Contract<typeof Oauth2AdminServiceDefinition>,
    ],
    database: { min_connections: 2 },
    workers: { from: 512, to: 767 },
    pods: { max_replicas: 4, memory: { request: '256Mi', limit: '512Mi' } },
  },

  'webhook-delivery': {
    folder: 'services/webhook-delivery',
    owns: 'webhooks, execution, renderers for other formats',
    ports: { grpc: 8085 },
    contracts: [
      {
        name: 'gatehouse.webhook_delivery.v1.WebhookDeliveryService',
        callers: [
          { from: 'gateway', rpcs: ALL_OTHERS, for: 'its routes', acts_for_callers: true },
          { from: 'gateway', rpcs: ['RecordRefusals'], for: 'executions that the edge refused' },
          { from: 'chat', rpcs: ['EndChannels'], for: 'the webhooks of deleted channels' },
          { from: 'auth', rpcs: ['SetAccountSuspended'], for: 'which accounts are suspended' },
          { from: 'auth', rpcs: ['ExportAccount'], for: 'the data export of an account' },
          { from: 'operator', rpcs: ['ListDeliveries'], for: 'the command that shows deliveries' },
          { from: 'console', rpcs: ['ListDeliveries'], for: 'the page of a webhook' },
        ],
      } as const satisfies Contract<typeof WebhookDeliveryServiceDefinition>,
      {
        name: 'gatehouse.webhook_delivery.v1.WebhookDeliveryAdminService',
        callers: [
          { from: 'admin', rpcs: ALL_OTHERS, for: 'operators’ actions' },
          { from: 'console', rpcs: ALL_OTHERS, for: 'pages and commands for operators' },
        ],
      } as const satisfies Contract<typeof WebhookDeliveryAdminServiceDefinition>,
    ],
    database: { min_connections: 2 },
    workers: { from: 768, to: 1023 },
    pods: { max_replicas: 8, memory: { request: '256Mi', limit: '512Mi' } },
  },

  media: {
    folder: 'services/media',
    owns: 'pictures: decoded in worker processes, served',
    ports: { grpc: 8086 },
    contracts: [
      {
        name: 'gatehouse.media.v1.MediaService',
        callers: [
          { from: 'gateway', rpcs: ALL_OTHERS, for: 'pictures, part by part' },
          {
            from: 'auth',
            rpcs: ['StorePicture', 'KeepPicture', 'DropUploads'],
            for: 'avatars and banners of accounts',
          },
          { from: 'auth', rpcs: ['ExportPicture'], for: 'the data export of an account' },
          {
            from: 'chat',
            rpcs: ['StorePicture', 'KeepPicture', 'DropUploads'],
            for: 'icons of guilds; avatars and banners of members',
          },
          {
            from: 'oauth2',
            rpcs: ['StorePicture', 'KeepPicture', 'DropUploads'],
            for: 'icons of applications',
          },
          {
            from: 'webhook-delivery',
            rpcs: [
              'StorePicture',
              'PublishPicture',
              'ListPublishedPictures',
              'SettlePublishedPictures',
              'DropUploads',
            ],
            for: 'avatars of webhooks, and which are unused',
          },
        ],
      } as const satisfies Contract<typeof MediaServiceDefinition>,
    ],
    database: { min_connections: 3 },
    // Each decoder has MEDIA_DECODER_MEMORY_MIB beside the process's own memory.
    pods: { max_replicas: 4, memory: { request: '1536Mi', limit: '1792Mi' } },
  },

  realtime: {
    folder: 'services/realtime',
    owns: 'the WebSocket Gateway, at the second port',
    ports: { grpc: 8087, websocket: 8088 },
    contracts: [
      {
        name: 'gatehouse.realtime.v1.RealtimeService',
        callers: [
          {
            from: 'realtime',
            rpcs: ['ReleaseSession', 'PrepareSessions', 'AcceptSessions'],
            for: 'session transfer between its replicas',
          },
          { from: 'realtime', rpcs: ['GetConnections'], for: 'connections at its other replicas' },
          { from: 'oauth2', rpcs: ['GetPresence'], for: 'whether the bot of an application is online' },
        ],
      } as const satisfies Contract<typeof RealtimeServiceDefinition>,
    ],
    // 20,000 sessions (REALTIME_MAX_CONNECTIONS), and the unsent events of slow clients.
    max_heap_mib: 768,
    pods: { max_replicas: 8, memory: { request: '1Gi', limit: '1536Mi' } },
  },

  console: {
    folder: 'services/console',
    owns: 'operators, their log, and the console at the second port',
    ports: { grpc: 8089, http: 8090 },
    contracts: [
      {
        name: 'gatehouse.console.v1.ConsoleService',
        callers: [
          {
            from: 'admin',
            rpcs: ['AddOperator', 'ListActions', 'ListOperators', 'RemoveOperator', 'UpdateOperator'],
            for: 'operators, and their log',
          },
          {
            from: 'operator',
            rpcs: ['AddOperator', 'ListActions', 'ListOperators', 'RemoveOperator', 'UpdateOperator'],
            for: 'commands that show and change operators',
          },
        ],
      } as const satisfies Contract<typeof ConsoleServiceDefinition>,
    ],
    database: { min_connections: 2 },
    secrets: ['CONSOLE_SECRET_KEY'],
    pods: { max_replicas: 2, memory: { request: '256Mi', limit: '512Mi' } },
  },
} as const satisfies Readonly<Record<string, Service>>;

/** The processes of the stack, by the names in their certificates. */
export type ServiceName = keyof typeof SERVICES;

/** Those that serve gRPC. */
export type ServerName = Exclude<ServiceName, 'gateway'>;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly ServiceName[];

export const DATABASE_SERVICES = SERVICE_NAMES.filter((name) => serviceNamed(name).database !== undefined);

/** The entry of a service, with the members that only some entries have. */
export function serviceNamed(name: ServiceName): Service {
  return SERVICES[name];
}

/** The variable in which callers find a service, such as WEBHOOK_DELIVERY_ADDRESS. */
export function addressVariable(name: ServiceName): string {
  return ownVariable(name, 'ADDRESS');
}

/**
 * The variable with one service's own setting in a shared process, such as WEBHOOK_DELIVERY_LISTEN. CONSOLE_LISTEN is
 * the address of the console's pages, and CONSOLE_RPC_LISTEN that of its gRPC.
 */
export function ownVariable(name: ServiceName, setting: string): string {
  const { grpc, http } = serviceNamed(name).ports;
  const has_pages = grpc !== undefined && http !== undefined;
  const own = setting === 'LISTEN' && has_pages ? 'RPC_LISTEN' : setting;
  return `${name.toUpperCase().replaceAll('-', '_')}_${own}`;
}

/** The address at which callers find a service by default. */
export function defaultAddress(name: ServerName): string {
  return `127.0.0.1:${SERVICES[name].ports.grpc}`;
}

/** The setting of a service's own gRPC address. */
export function listenSetting(name: ServerName): [variable: string, { about: string; default: string }] {
  return ['LISTEN', { about: 'host:port where it serves gRPC', default: defaultAddress(name) }];
}

/** The setting in which a caller finds a service. */
export function addressSetting(name: ServerName): [variable: string, { about: string; default: string }] {
  const about = `${name}: host:port, or several separated by commas`;
  return [addressVariable(name), { about, default: defaultAddress(name) }];
}
