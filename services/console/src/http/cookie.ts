import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';

type Place = Pick<Deps, 'config' | 'url'>;

/** The cookie of a session. Scripts cannot read it, and no other site can send it. */
const NAME = 'gatehouse_console';

export function setSession(reply: FastifyReply, place: Place, token: string): void {
  reply.header('set-cookie', `${NAME}=${token}; ${attributes(place)}`);
}

export function clearSession(reply: FastifyReply, place: Place): void {
  reply.header('set-cookie', `${NAME}=; ${attributes(place)}; Max-Age=0`);
}

/** The token of a Cookie header; undefined if it has none, or two. */
export function tokenOfCookie(header: string | undefined): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`));
  return found.length === 1 ? found[0]?.slice(NAME.length + 1) : undefined;
}

/** Browsers send it over TLS only, if operators reach the console over TLS: its own, or that of a proxy. */
function attributes({ config, url }: Place): string {
  const isSecure = config.tls !== undefined || url().startsWith('https:');
  return `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
