import { POLICIES } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { ALGORITHMS, type LimitDefinition, type Mode, type RateDefinition } from './definitions.ts';
import { MAX_UNIT_MULTIPLIER, UNIT_NAMES, unitOf, windowSeconds } from './units.ts';
import type { Member, YamlFile } from './yaml-file.ts';

const MAX_UINT32 = 0xffff_ffff;

const LIMIT_KEYS = [
  'unit',
  'requests_per_unit',
  'unlimited',
  'name',
  'replaces',
  'unit_multiplier',
  'algorithm',
  'failure_policy',
];
/** Those of a limit that is not unlimited. */
const RATE_KEYS = ['unit', 'requests_per_unit', 'unit_multiplier', 'algorithm', 'failure_policy'];

/** Reads a `rate_limit`. Undefined with at least one problem. */
export function readLimit(
  file: YamlFile,
  { at, value }: Member,
): Pick<LimitDefinition, 'name' | 'replaces' | 'rate'> | undefined {
  const members = file.members(value, at, 'rate_limit', LIMIT_KEYS);
  if (members === undefined) return undefined;
  const named = members.get('name');
  const name = (named && file.text(named, 'name')) ?? '';
  const replaces = readReplaces(file, members.get('replaces'), name);
  const unlimited = members.get('unlimited');
  if (unlimited === undefined || !file.flag(unlimited, 'unlimited')) {
    const rate = readRate(file, members, at);
    return rate && { name, replaces, rate };
  }
  for (const key of RATE_KEYS) {
    const member = members.get(key);
    if (member !== undefined)
      file.problem(member.at, `an unlimited rate_limit has no ${key}: remove one of the two`);
  }
  return { name, replaces, rate: undefined };
}

/** A limit in shadow mode is no quota, since it never denies. */
export function modeOf({ shadow_mode, quota_mode }: { shadow_mode: boolean; quota_mode: boolean }): Mode {
  if (shadow_mode) return 'shadow';
  return quota_mode ? 'quota' : 'enforced';
}

function readReplaces(file: YamlFile, member: Member | undefined, own: string): string[] {
  if (member === undefined) return [];
  return file.items(member.value, member.at, 'replaces').flatMap((item) => {
    const named = file.members(item, item, 'an entry of replaces', ['name']);
    if (named === undefined) return [];
    const name = named.get('name');
    const text = name && file.text(name, 'name');
    if (text === undefined || text === '')
      file.problem(name?.at ?? item, 'an entry of replaces has the name of another rate_limit');
    else if (text === own) file.problem(name?.at, `${text} replaces itself: remove the entry`);
    else return [text];
    return [];
  });
}

function readRate(
  file: YamlFile,
  members: ReadonlyMap<string, Member>,
  at: Member['at'],
): RateDefinition | undefined {
  const unit = readUnit(file, members.get('unit'), at);
  const requests_per_unit = readNumber(file, members, at, { name: 'requests_per_unit', max: MAX_UINT32 });
  const multiplier = members.get('unit_multiplier');
  const unit_multiplier =
    multiplier === undefined
      ? 1
      : readNumber(file, members, at, { name: 'unit_multiplier', min: 1, max: MAX_UNIT_MULTIPLIER });
  const algorithm = file.choice(members.get('algorithm'), 'algorithm', ALGORITHMS);
  const failure_policy = file.choice(members.get('failure_policy'), 'failure_policy', POLICIES) ?? 'local';
  if (unit === undefined || requests_per_unit === undefined || unit_multiplier === undefined)
    return undefined;
  const window_seconds = windowSeconds(unit, unit_multiplier);
  if (window_seconds === undefined) {
    file.problem(multiplier?.at, `${unit_multiplier} × ${unit} is more than a year: lower unit_multiplier`);
    return undefined;
  }
  try {
    rate(Math.max(1, requests_per_unit), window_seconds, algorithm);
  } catch (error) {
    file.problem(
      members.get('requests_per_unit')?.at,
      `${(error as Error).message}: lower it, or add algorithm: fixed_window`,
    );
    return undefined;
  }
  return { requests_per_unit, unit, unit_multiplier, window_seconds, algorithm, failure_policy };
}

function readUnit(file: YamlFile, member: Member | undefined, at: Member['at']) {
  const text = member && file.text(member, 'unit');
  const unit = unitOf(text ?? '');
  if (unit !== undefined) return unit;
  const choices = `one of ${UNIT_NAMES.join(', ')}`;
  if (text === undefined) file.problem(member?.at ?? at, `unit is required: ${choices}`);
  else
    file.problem(member?.value ?? member?.at, `unknown unit ${JSON.stringify(text)}: it must be ${choices}`);
  return undefined;
}

function readNumber(
  file: YamlFile,
  members: ReadonlyMap<string, Member>,
  at: Member['at'],
  { name, min = 0, max }: { readonly name: string; readonly min?: number; readonly max: number },
): number | undefined {
  const member = members.get(name);
  const text = member && file.text(member, name);
  const number = /^(?:0|[1-9][0-9_]*)$/.test(text ?? '') ? Number(text?.replaceAll('_', '')) : Number.NaN;
  if (number >= min && number <= max) return number;
  file.problem(member?.at ?? at, `${name} must be a whole number from ${min} to ${max}`);
  return undefined;
}
