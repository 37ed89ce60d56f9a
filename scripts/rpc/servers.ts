import type { ServerName } from '@gatehouse/proto/services';

/**
 * The processes that answer an operator's gRPC, by the ports that `npm start` gives them. realtime answers its own replicas
 * alone. Said here too: a client loads no service.
 */
export const SERVERS: readonly string[] = [
  'ratelimit',
  'auth',
  'chat',
  'oauth2',
  'webhook-delivery',
  'media',
] satisfies ServerName[];

/** The variable by which others are told where it listens. */
export function addressVariable(server: string): string {
  return `${server.toUpperCase().replaceAll('-', '_')}_ADDRESS`;
}
