import { type Route, type RouteBucket, route } from '../../src/route.ts';
import { chat } from '../../src/service-definitions.ts';

/** A route for a bucket of any key: its path has a parameter for every resource of a key. */
export function routeFor(bucket: RouteBucket, path = '/limited'): Route {
  const limited = route('POST /limited', chat.createGuild, {
    access: 'public',
    buckets: [bucket],
    answer: 'guild',
  });
  return { ...limited, path, params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name)) };
}

/** One bucket for each kind of key, and a path for it. */
export const KEYED: readonly [RouteBucket, string, path: string][] = [
  ['channel:read', '/channels/{channel_id}', '/channels/7'],
  ['guild:read', '/guilds/{guild_id}', '/guilds/7'],
  ['webhook:read', '/webhooks/{webhook_id}', '/webhooks/7'],
  ['oauth_dev:clients:update', '/applications/{application_id}', '/applications/7'],
  ['stream:preview:post', '/streams/{stream_id}', '/streams/7'],
  ['user:read', '/users/{user_id}', '/users/7'],
  ['invite:read', '/invites/{code}', '/invites/abc'],
];
