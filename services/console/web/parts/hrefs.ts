const PAGES = {
  account: '/accounts/',
  application: '/applications/',
  webhook: '/webhooks/',
  guild: '/guilds/',
  request: '/requests/',
  identity: '/limits?identity=',
} as const;

export type LinkedKind = keyof typeof PAGES;

/** The path of a thing's page. */
export function hrefOf(kind: LinkedKind, id: string): string {
  return PAGES[kind] + encodeURIComponent(id);
}

/** The page of the thing that an identity of a limit names, such as "account:1"; undefined for others. */
export function pageOfIdentity(
  identity: string | null | undefined,
): { readonly href: string; readonly text: string } | undefined {
  const [, kind, id] = /^(account|application|webhook|guild):([0-9]+)$/.exec(identity ?? '') ?? [];
  if (kind === undefined || id === undefined) return undefined;
  return { href: hrefOf(kind as LinkedKind, id), text: `the ${kind}` };
}
