import { BUCKETS, INTERNAL_BUCKETS } from '@gatehouse/proto/buckets';
import { POLICIES, type Policy } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { LIMIT_KINDS, type LimitKind, type Rate, rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { repeatedNames } from './repeated-names.ts';

/** The parts of keys: the kind of each identity of a bucket (README, "Keys"). */
const KEY_PARTS = [
  'account',
  'client',
  'ip',
  'subnet',
  'login_name',
  'email',
  'guild',
  'channel',
  'webhook',
  'application',
  'stream',
  'target_user',
  'invite_code',
  'account_or_client',
  'client_ip_or_account',
  'channel_or_guild',
  'profile',
] as const;
export type KeyPart = (typeof KEY_PARTS)[number];

/** A row of the file, with its aliases. */
export interface ReferenceRow extends Rate {
  readonly name: string;
  readonly window_seconds: number;
  readonly key: readonly KeyPart[];
  readonly aliases: readonly string[];
  readonly policy: Policy;
  readonly internal: boolean;
}

/** The reference is invalid; the message lists every problem. */
export class InvalidReference extends Error {
  constructor(problems: readonly string[]) {
    super(
      ['The bucket reference cannot be used:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    );
    this.name = 'InvalidReference';
  }
}

/** @throws InvalidReference with every invalid row */
export function readRows(text: string): ReferenceRow[] {
  const rows = parse(text);
  const problems = repeatedNames(text).map((name) => `${name}: this row is repeated`);
  checkNames(Object.keys(rows), problems);
  const aliases = readAliases(rows, problems);
  const read: ReferenceRow[] = [];
  for (const [name, row] of Object.entries(rows)) {
    if (isRecord(row) && 'alias_of' in row) continue;
    const rule = readRow(name, row, aliases.get(name) ?? [], problems);
    if (rule !== undefined) read.push(rule);
  }
  if (problems.length > 0) throw new InvalidReference(problems);
  return read;
}

function parse(text: string): Record<string, unknown> {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    throw new InvalidReference([`it is not JSON: ${(error as SyntaxError).message}`]);
  }
  if (!isRecord(rows)) throw new InvalidReference(['it is not an object of rows']);
  return withDefaults(rows);
}

/** The rows of this version that hold if a file has no row of their names: those that callers and RPCs rely on. */
const DEFAULTS: readonly (readonly [string, object])[] = [
  ['global', BUCKETS.global],
  ...Object.entries(INTERNAL_BUCKETS).map(([name, row]) => [name, { ...row, internal: true }] as const),
];

function withDefaults(rows: Record<string, unknown>): Record<string, unknown> {
  const missing = DEFAULTS.filter(([name]) => !Object.hasOwn(rows, name));
  return Object.fromEntries([...missing, ...Object.entries(rows)]);
}

/** Excludes the syntax of a Redis key: the first identity in braces, the name, and the other identities after bars. */
const NAME = /^[^\s|{}\p{Cc}]+$/u;

function checkNames(names: readonly string[], problems: string[]): void {
  for (const name of names) {
    if (!NAME.test(name)) {
      problems.push(`${JSON.stringify(name)}: a name is not empty and has no blanks, bars or braces`);
    }
  }
}

/** The aliases of each name. */
function readAliases(rows: Record<string, unknown>, problems: string[]): Map<string, string[]> {
  const aliases = new Map<string, string[]>();
  for (const [name, row] of Object.entries(rows)) {
    if (!isRecord(row) || !('alias_of' in row)) continue;
    const target = row.alias_of;
    const named = typeof target === 'string' && Object.hasOwn(rows, target) ? rows[target] : undefined;
    if (typeof target !== 'string' || !isRecord(named) || 'alias_of' in named) {
      problems.push(`${name}: alias_of must name a row that is no alias itself`);
      continue;
    }
    if (named.internal === true) problems.push(`${name}: an internal row cannot have aliases`);
    if (Object.keys(row).length > 1) problems.push(`${name}: an alias has no other members`);
    aliases.set(target, [...(aliases.get(target) ?? []), name]);
  }
  return aliases;
}

const MEMBERS = new Set(['kind', 'limit', 'window_seconds', 'key', 'policy', 'internal']);
const DEFAULT_KIND: LimitKind = 'leaky_bucket';

/** Buckets that protect accounts must not be open while a store is down. */
const NEVER_OPEN = /^auth:|login|mfa|sudo|regist|password|pwd|reset|verif/;

function readRow(
  name: string,
  row: unknown,
  aliases: readonly string[],
  problems: string[],
): ReferenceRow | undefined {
  const before = problems.length;
  const fail = (problem: string): void => void problems.push(`${name}: ${problem}`);
  if (!isRecord(row)) {
    fail('a row is an object');
    return undefined;
  }
  for (const member of Object.keys(row)) if (!MEMBERS.has(member)) fail(`unknown member ${member}`);
  const { kind = DEFAULT_KIND, limit, window_seconds, key, policy = 'local', internal = false } = row;
  if (!isOneOf(LIMIT_KINDS, kind)) fail(`kind must be one of ${LIMIT_KINDS.join(', ')}`);
  if (!isCount(limit)) fail('limit must be an integer from 1 to 2^32-1');
  if (!isCount(window_seconds)) fail('window_seconds must be an integer from 1 to 2^32-1');
  if (!isListOf(KEY_PARTS, key)) fail(`key must be a list of parts, each one of ${KEY_PARTS.join(', ')}`);
  if (!isOneOf(POLICIES, policy)) fail(`policy must be one of ${POLICIES.join(', ')}`);
  if (typeof internal !== 'boolean') fail('internal must be true or false');
  if (kind === 'concurrency' && (internal === true || Object.hasOwn(BUCKETS, name))) {
    fail('the edge charges it without a lease, so it cannot be a concurrency limit');
  }
  if (policy === 'open' && [name, ...aliases].some((rowName) => NEVER_OPEN.test(rowName))) {
    fail('a login, MFA, sudo, registration, password or verification bucket is never open');
  }
  if (
    !isOneOf(LIMIT_KINDS, kind) ||
    !isCount(limit) ||
    !isCount(window_seconds) ||
    !isListOf(KEY_PARTS, key) ||
    !isOneOf(POLICIES, policy) ||
    typeof internal !== 'boolean' ||
    problems.length > before
  )
    return undefined;
  try {
    return { name, window_seconds, key, aliases, policy, internal, ...rate(limit, window_seconds, kind) };
  } catch (error) {
    fail((error as RangeError).message);
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The range of the contract's uint32. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 0xffff_ffff;
}

function isOneOf<T>(choices: readonly T[], value: unknown): value is T {
  return (choices as readonly unknown[]).includes(value);
}

function isListOf<T>(choices: readonly T[], value: unknown): value is T[] {
  return Array.isArray(value) && value.length > 0 && value.every((element) => isOneOf(choices, element));
}
