import { readdirSync, readFileSync } from 'node:fs';
import type { Charge } from '@gatehouse/proto/ratelimit';

/** The folder of the cases that hold for the clients of all languages. Its README has their format. */
const FOLDER = new URL('../../../../../clients/cases/', import.meta.url);

export interface Case {
  readonly name: string;
  readonly replicas?: number;
  readonly buckets: readonly BucketRow[];
  readonly server?: ServerAnswer;
  readonly steps: readonly Step[];
}

export interface BucketRow {
  readonly name: string;
  readonly limit: number;
  readonly window_seconds: number;
  readonly key: readonly string[];
  readonly policy?: 'local' | 'open' | 'closed';
  readonly kind?: 'leaky_bucket' | 'fixed_window' | 'concurrency';
  readonly aliases?: readonly string[];
}

export interface ServerAnswer {
  readonly decides?: { readonly denial: DenialRow | null; readonly degraded?: boolean };
  readonly answers?: true;
  readonly fails?: string;
  readonly takes_us?: number;
}

export interface DenialRow {
  readonly bucket: string;
  readonly limit: number;
  readonly retry_after_us: number;
  readonly empty_after_us: number;
}

export interface Step {
  readonly at_us: number;
  readonly check?: readonly (readonly Charge[])[];
  readonly refund?: readonly Charge[];
  readonly rules?: readonly BucketRow[];
  readonly probe?: true;
  readonly times?: number;
  readonly first?: number;
  readonly every_us?: number;
  readonly together?: true;
  readonly server?: ServerAnswer;
  readonly expect?: Expectation;
}

export interface Expectation {
  readonly denial?: Partial<DenialRow> | null;
  readonly error?: string;
  readonly called?: boolean;
  readonly breaker?: 'open' | 'closed';
  readonly remembered?: number;
  readonly remembered_at_most?: number;
}

/** The cases by file name, such as "denials". @throws Error for a member that this file does not know */
export function readCases(): ReadonlyMap<string, readonly Case[]> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return new Map(
    files.map((name) => {
      const cases = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Case[];
      for (const one of cases) expectKnown(one);
      return [name.slice(0, -'.json'.length), cases];
    }),
  );
}

const CASE = ['name', 'replicas', 'buckets', 'server', 'steps'];
const BUCKET = ['name', 'limit', 'window_seconds', 'key', 'policy', 'kind', 'aliases'];
const ACTIONS = ['check', 'refund', 'rules', 'probe'];
const STEP = ['at_us', ...ACTIONS, 'times', 'first', 'every_us', 'together', 'server', 'expect'];
const SERVER = ['decides', 'answers', 'fails', 'takes_us'];
const CHARGE = ['bucket', 'identities', 'cost', 'lease_id'];
const EXPECT = ['denial', 'error', 'called', 'breaker', 'remembered', 'remembered_at_most'];

function expectKnown(one: Case): void {
  expectMembers([one], CASE);
  expectMembers(one.buckets, BUCKET);
  expectMembers([one.server ?? {}], SERVER);
  expectMembers(one.steps, STEP);
  for (const { check = [], refund = [], rules = [], server = {}, expect = {} } of one.steps) {
    expectMembers([...check.flat(), ...refund], CHARGE);
    expectMembers(rules, BUCKET);
    expectMembers([server], SERVER);
    expectMembers([expect], EXPECT);
  }
}

function expectMembers(rows: readonly object[], known: readonly string[]): void {
  const unknown = rows.flatMap((row) => Object.keys(row)).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`a case has an unknown member: ${unknown}`);
}
