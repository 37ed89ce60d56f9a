/** A page of docs/ with this name, which the edge serves as /docs/{name}. */
export interface Guide {
  readonly name: string;
  readonly title: string;
}

export const GUIDES: readonly Guide[] = [
  { name: 'sign-in-with-gatehouse', title: 'Sign in with Gatehouse' },
  { name: 'conventions', title: 'Conventions' },
  { name: 'errors', title: 'Errors' },
  { name: 'credentials', title: 'Credentials' },
  { name: 'oauth2', title: 'OAuth2' },
  { name: 'guilds', title: 'Guilds' },
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'rate-limits', title: 'Rate limits' },
  { name: 'gateway', title: 'Real-time Gateway' },
  { name: 'works-with', title: 'Works with' },
];

const NAMES: ReadonlySet<string> = new Set(GUIDES.map(({ name }) => name));

export function operationPath(operationId: string): string {
  return `/docs/reference/${operationId}`;
}

/**
 * The target at the edge of a link in docs/*.md. Undefined if the edge does not serve it: a file of the repository.
 */
export function servedTarget(target: string): string | undefined {
  if (/^(?:https?:|mailto:|#|\/)/.test(target)) return target;
  const [file = '', anchor] = target.split('#');
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  const guide = /^(?:\.\/)?([\w-]+)\.md$/.exec(file)?.[1];
  if (guide !== undefined && NAMES.has(guide)) return `/docs/${guide}${fragment}`;
  if (target === 'web.md#developer-portal') return '/developers';
  if (file === 'README.md' || file === '../gateway/openapi.json') return '/docs';
  if (file === '../gateway/asyncapi.json') return '/docs/gateway-reference';
  return undefined;
}

/** The ID that GitHub gives a heading: links in docs/ use it. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
