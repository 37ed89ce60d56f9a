import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { Route } from '@gatehouse/gateway/route';
import { BUCKET_ALIASES, BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import { readRows } from '@gatehouse/ratelimit/reference';

const BEGIN = /^<!-- buckets: .* -->\n/m;
const END = '<!-- /buckets -->';

/** Headings, by the first bucket of the section. */
const SECTIONS: Readonly<Record<string, string>> = {
  global: 'Every request',
  'auth:login': 'Authentication',
  'user:email_change:start': 'Account security',
  'user:read': 'Users and relationships',
  'channel:read': 'Channels and messages',
  'guild:list': 'Guilds',
  'webhook:list_guild': 'Webhooks',
  'oauth_dev:clients:create': 'Applications, OAuth2 and Gateway',
  'gif:search': 'Other',
} satisfies Partial<Record<BucketName, string>>;

const HEADINGS = ['Bucket', 'Limit', 'Key', 'Identifier', 'Routes'];

const KEY_PARTS: Readonly<Record<string, string>> = {
  ip: 'address',
  client_ip_or_account: 'client, address or account',
};

/** Members with a sudo proof: they charge the same buckets on every route. */
const PROOFS: ReadonlySet<string> = new Set(['password', 'mfa_code', 'sudo_proof']);

/** List members that charge a bucket only with several items. */
const LISTS: ReadonlySet<string> = new Set(['recipients']);

const REFERENCE = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));

/**
 * Replaces the tables of buckets between the two markers of a page.
 *
 * @throws InvalidReference with every row that ratelimit would refuse
 */
export function withBucketTables(page: string, rows: readonly Route[]): string {
  readRows(readFileSync(REFERENCE, 'utf8'));
  const begin = BEGIN.exec(page);
  const end = page.indexOf(END);
  if (begin === null || end < begin.index)
    throw new Error('docs/rate-limits.md lacks the markers of its buckets');
  return `${page.slice(0, begin.index + begin[0].length)}\n${bucketTables(rows)}\n${page.slice(end)}`;
}

function bucketTables(rows: readonly Route[]): string {
  const routes = routesOf(rows);
  const sections: { title: string; lines: string[][] }[] = [];
  for (const [name, { limit, window_seconds, key }] of Object.entries(BUCKETS)) {
    const title = SECTIONS[name];
    if (title !== undefined) sections.push({ title, lines: [] });
    const limitText = `${limit} in ${span(window_seconds)}`;
    const routesText = [...(routes.get(name) ?? [])].join(', ');
    sections.at(-1)?.lines.push([namesOf(name), limitText, keyOf(key), identifierOf(name), routesText]);
  }
  return sections.map(({ title, lines }) => `### ${title}\n\n${markdownTable(HEADINGS, lines)}`).join('\n');
}

/** The routes that charge each bucket, as text for its cell. */
function routesOf(rows: readonly Route[]): ReadonlyMap<string, ReadonlySet<string>> {
  const routes = new Map<string, Set<string>>([['global', new Set(['[all](#global-bucket)'])]]);
  const add = (bucket: Route['buckets'][number], route: string) => {
    const name = typeof bucket === 'string' ? bucket : bucket[0];
    routes.set(name, (routes.get(name) ?? new Set()).add(route));
  };
  for (const { verb, path, buckets, member_buckets } of rows) {
    const route = `\`${verb} ${path}\``;
    for (const bucket of buckets) add(bucket, route);
    for (const [member, more] of Object.entries(member_buckets))
      for (const bucket of more)
        add(
          bucket,
          PROOFS.has(member)
            ? `[\`${member}\`](#sudo-proofs)`
            : `${route} with ${LISTS.has(member) ? 'several ' : ''}\`${member}\``,
        );
  }
  return routes;
}

/** The names of a bucket: its own, and its alias if it has one. */
function namesOf(name: string): string {
  const others = Object.entries(BUCKET_ALIASES).filter(([, first]) => first === name);
  return [name, ...others.map(([other]) => other)].map((each) => `\`${each}\``).join(', ');
}

function keyOf(parts: readonly string[]): string {
  return parts.map((part) => KEY_PARTS[part] ?? part.replaceAll('_', ' ')).join(' + ');
}

/** The value of X-RateLimit-Bucket (docs/rate-limits.md#bucket-identifiers); empty for the global bucket. */
function identifierOf(name: string): string {
  if (name === 'global') return '';
  return `\`${createHash('sha256').update(name).digest('hex').slice(0, 16)}\``;
}

/** A window in words. */
export function span(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} min` : `${seconds} s`;
}
