import { readFileSync } from 'node:fs';
import { type Rate, rate } from './leaky-bucket.ts';

/** The vocabulary of keys: what one identity of a bucket names (README, "Keys"). */
export const KEY_PARTS = [
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
] as const;
export type KeyPart = (typeof KEY_PARTS)[number];

/** A row of the bucket reference. */
export interface Rule extends Rate {
  readonly name: string;
  /** Its place in the reference. */
  readonly index: number;
  readonly window_seconds: number;
  readonly key: readonly KeyPart[];
  /** Other names of the same bucket. */
  readonly aliases: readonly string[];
}

export interface Reference {
  /** In the file's order. */
  readonly rules: readonly Rule[];
  /** By name and by alias. */
  readonly byName: ReadonlyMap<string, Rule>;
}

/** The reference cannot be used; the message lists every problem. */
export class InvalidReference extends Error {
  constructor(problems: readonly string[]) {
    super(
      ['The bucket reference cannot be used:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    );
    this.name = 'InvalidReference';
  }
}

/** Reads buckets.json, which holds every limit of specification 3, and checks it whole. */
export function readReference(file: URL): Reference {
  return parseReference(JSON.parse(readFileSync(file, 'utf8')));
}

/** @throws InvalidReference naming every row that is wrong */
export function parseReference(rows: unknown): Reference {
  if (!isRecord(rows)) throw new InvalidReference(['it is not an object of rows']);
  const problems: string[] = [];
  const aliases = readAliases(rows, problems);
  const rules: Rule[] = [];
  for (const [name, row] of Object.entries(rows)) {
    if (isRecord(row) && 'alias_of' in row) continue;
    const rule = readRule(name, rules.length, row, aliases.get(name) ?? [], problems);
    if (rule !== undefined) rules.push(rule);
  }
  if (problems.length > 0) throw new InvalidReference(problems);
  return {
    rules,
    byName: new Map(rules.flatMap((rule) => [rule.name, ...rule.aliases].map((name) => [name, rule]))),
  };
}

/** The aliases of each name that has any. */
function readAliases(rows: Record<string, unknown>, problems: string[]): Map<string, string[]> {
  const aliases = new Map<string, string[]>();
  for (const [name, row] of Object.entries(rows)) {
    if (!isRecord(row) || !('alias_of' in row)) continue;
    const target = row.alias_of;
    const aimed = typeof target === 'string' ? rows[target] : undefined;
    if (typeof target !== 'string' || !isRecord(aimed) || 'alias_of' in aimed) {
      problems.push(`${name}: alias_of must name a row that is no alias itself`);
      continue;
    }
    if (Object.keys(row).length > 1) problems.push(`${name}: an alias has no other members`);
    aliases.set(target, [...(aliases.get(target) ?? []), name]);
  }
  return aliases;
}

const MEMBERS = new Set(['limit', 'window_seconds', 'key']);

function readRule(
  name: string,
  index: number,
  row: unknown,
  aliases: readonly string[],
  problems: string[],
): Rule | undefined {
  const before = problems.length;
  const fail = (problem: string): void => void problems.push(`${name}: ${problem}`);
  if (!isRecord(row)) {
    fail('a row is an object');
    return undefined;
  }
  for (const member of Object.keys(row)) if (!MEMBERS.has(member)) fail(`unknown member ${member}`);
  const { limit, window_seconds, key } = row;
  if (!isCount(limit)) fail('limit must be an integer from 1 to 2^32-1');
  if (!isCount(window_seconds)) fail('window_seconds must be an integer from 1 to 2^32-1');
  if (!isKey(key)) fail(`key must be a list of parts, each one of ${KEY_PARTS.join(', ')}`);
  if (!isCount(limit) || !isCount(window_seconds) || !isKey(key) || problems.length > before)
    return undefined;
  try {
    return { name, index, window_seconds, key, aliases, ...rate(limit, window_seconds) };
  } catch (error) {
    fail((error as RangeError).message);
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a uint32 of the contract can say. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 0xffff_ffff;
}

function isKey(value: unknown): value is KeyPart[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => (KEY_PARTS as readonly unknown[]).includes(part))
  );
}
