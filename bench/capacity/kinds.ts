import { chatCases } from '../chat/cases.ts';
import type { LoadCase } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import { oauthCases } from '../oauth2/cases.ts';
import { execution } from '../webhooks/cases.ts';

/** A kind of request, with its share of the mixed load. */
export interface Kind {
  readonly name: string;
  readonly share: number;
  readonly status: number;
  readonly requests: () => readonly LoadRequest[];
}

/** A typical load of a chat platform: mostly reads, some posts, and requests of integrations. */
export function kinds(url: string): Kind[] {
  const chat = new Map(chatCases(url, url).map((one) => [one.name, one]));
  const introspection = oauthCases([{ name: 'the stack', url }], url)
    .flatMap(([ours]) => ours)
    .find(({ name }) => name === 'introspection 64, the stack');
  return [
    { name: 'current user', share: 0.45, ...loadOf(chat.get('GET /users/@me 8')) },
    { name: 'page of messages', share: 0.25, ...loadOf(chat.get('50 of a hundred 8')) },
    { name: 'post a message', share: 0.15, ...loadOf(chat.get('POST message 32')) },
    { name: 'execute a webhook', share: 0.1, ...loadOf(execution(url, 32)) },
    { name: 'introspect a token', share: 0.05, ...loadOf(introspection) },
  ];
}

function loadOf(one: LoadCase | undefined): Pick<Kind, 'requests' | 'status'> {
  if (one === undefined) throw new Error('there is no such case');
  const { requests, expected } = one;
  return { status: expected, requests: typeof requests === 'function' ? requests : () => requests };
}

/** `count` requests in smooth weighted round-robin order, by the shares of their kinds. */
export function mixed(all: readonly Kind[], count: number): LoadRequest[] {
  const sources = all.map(({ requests, share }) => ({ share, left: [...requests()] }));
  const owed = sources.map(() => 0);
  return Array.from({ length: count }, () => {
    for (const [n, { share }] of sources.entries()) owed[n] = (owed[n] ?? 0) + share;
    const most = owed.indexOf(Math.max(...owed));
    owed[most] = (owed[most] ?? 0) - 1;
    const source = sources[most]?.left;
    const request = source?.shift();
    if (source === undefined || request === undefined) throw new Error('too few requests of a kind');
    source.push(request);
    return request;
  });
}
