import { readConfig as readAuthConfig } from '@gatehouse/auth/config';
import { start as startAuth } from '@gatehouse/auth/start';
import { readConfig as readChatConfig } from '@gatehouse/chat/config';
import { start as startChat } from '@gatehouse/chat/start';
import { readConfig as readGatewayConfig } from '@gatehouse/gateway/config';
import { start as startGateway } from '@gatehouse/gateway/start';
import type { Running } from '@gatehouse/kit/lifecycle';
import type { ProcessConfig } from '@gatehouse/kit/process/process-config';
import type { ProcessOverrides } from '@gatehouse/kit/process/start-process';
import { readConfig as readMediaConfig } from '@gatehouse/media/config';
import { start as startMedia } from '@gatehouse/media/start';
import { readConfig as readOauth2Config } from '@gatehouse/oauth2/config';
import { start as startOauth2 } from '@gatehouse/oauth2/start';
import { readConfig as readRatelimitConfig } from '@gatehouse/ratelimit/config';
import { start as startRatelimit } from '@gatehouse/ratelimit/start';
import { readConfig as readRealtimeConfig } from '@gatehouse/realtime/config';
import { start as startRealtime } from '@gatehouse/realtime/start';
import { readConfig as readWebhookDeliveryConfig } from '@gatehouse/webhook-delivery/config';
import { start as startWebhookDelivery } from '@gatehouse/webhook-delivery/start';

/** Starts a service in this process as its main.ts does in one of its own. @throws ConfigError for its environment */
export type StartService = (
  env: NodeJS.ProcessEnv,
  overrides: (config: ProcessConfig) => ProcessOverrides,
) => Promise<Running>;

/** The edge and the services, by the names of their processes. */
export const SERVICES: ReadonlyMap<string, StartService> = new Map([
  ['gateway', service(readGatewayConfig, startGateway)],
  ['ratelimit', service(readRatelimitConfig, startRatelimit)],
  ['auth', service(readAuthConfig, startAuth)],
  ['chat', service(readChatConfig, startChat)],
  ['oauth2', service(readOauth2Config, startOauth2)],
  ['webhook-delivery', service(readWebhookDeliveryConfig, startWebhookDelivery)],
  ['media', service(readMediaConfig, startMedia)],
  ['realtime', service(readRealtimeConfig, startRealtime)],
]);

function service<C extends ProcessConfig>(
  readConfig: (env: NodeJS.ProcessEnv) => C,
  start: (config: C, overrides: ProcessOverrides) => Promise<Running>,
): StartService {
  return async (env, overrides) => {
    const config = readConfig(env);
    return start(config, overrides(config));
  };
}
