export type ResultKind =
  | 'account'
  | 'application'
  | 'webhook'
  | 'guild'
  | 'credential'
  | 'request'
  | 'identity'
  | 'operator';

/** Something that a search has found, and its page in the console. */
export interface SearchResult {
  readonly kind: ResultKind;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

/** Credentials have no page of their own: they lead to their owner's. */
const PAGES: Readonly<Record<Exclude<ResultKind, 'credential'>, string>> = {
  account: '/accounts/',
  application: '/applications/',
  webhook: '/webhooks/',
  guild: '/guilds/',
  request: '/requests/',
  identity: '/limits?identity=',
  operator: '/log?operator=',
};

export function result(
  kind: Exclude<ResultKind, 'credential'>,
  id: string,
  title: string,
  detail: string,
): SearchResult {
  return { kind, id, title, detail, href: PAGES[kind] + encodeURIComponent(id) };
}

/** @param owner the kind and ID of the page to which it leads */
export function credentialResult(
  fingerprint: string,
  kind: string,
  owner: readonly ['account' | 'application', string],
): SearchResult {
  const [noun, id] = owner;
  return {
    kind: 'credential',
    id: fingerprint,
    title: `${kind} of ${noun} ${id}`,
    detail: `fingerprint ${fingerprint}`,
    href: PAGES[noun] + encodeURIComponent(id),
  };
}
