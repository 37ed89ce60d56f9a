import proxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

/** Serves @fastify/http-proxy in front of the server of UPSTREAM, on a free port. Returns host:port. */
export async function httpProxy({ UPSTREAM: upstream = '' }: NodeJS.ProcessEnv): Promise<string> {
  const app = fastify();
  await app.register(proxy, { upstream });
  return new URL(await app.listen({ host: '127.0.0.1', port: 0 })).host;
}
