import {
  type Configuration,
  type DescriptorDefinition,
  type DomainDefinition,
  descriptorTree,
  type Entry,
  type LimitDefinition,
  type Match,
  problemText,
  readConfiguration,
  withoutReplaced,
} from '@gatehouse/ratelimit/descriptor-files';
import { ExitCode, usageFailure } from '../../failures.ts';
import { printable, printableJson } from '../../output/printable.ts';
import { textTable } from '../../output/text-table.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { callerPath } from '../../stack/caller-path.ts';

export interface CheckConfigOptions {
  readonly paths: readonly string[];
  readonly domain: string | undefined;
  /** The descriptors of one request. */
  readonly descriptor: readonly (readonly Entry[])[] | undefined;
  readonly json?: boolean;
}

/** The limit of a descriptor; null without one. */
interface Matched {
  readonly descriptor: string;
  readonly limit: LimitDefinition | null;
  readonly counted_by: readonly string[];
  /** Whether another descriptor of the request replaces the limit. */
  readonly replaced: boolean;
}

/** Prints every problem of files of descriptors, or the limits that they define; or the limits of one request. */
export function checkConfig(options: CheckConfigOptions, runtime: Runtime): void {
  const { json = false, descriptor } = options;
  const configuration = readConfiguration(options.paths.map((path) => callerPath(path, runtime.env)));
  const { problems } = configuration;
  if (problems.length > 0) {
    runtime.exitCode = ExitCode.NEGATIVE;
    if (json) print({ valid: false, problems }, runtime);
    else {
      for (const problem of problems) printLine(runtime, printable(problemText(problem)));
      const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
      printLine(runtime, `${count}: a service keeps its old limits, and does not start with these`);
    }
  } else if (descriptor === undefined) printLimits(configuration, json, runtime);
  else printMatches(matchesOf(configuration, options.domain, descriptor), json, runtime);
}

function print(value: unknown, runtime: Runtime): void {
  printLine(runtime, printableJson(JSON.stringify(value)));
}

function printLimits({ files, domains }: Configuration, json: boolean, runtime: Runtime): void {
  const limits = domains.map((domain) => ({ domain: domain.domain, limits: limitsOf(domain.descriptors) }));
  if (json) {
    print({ valid: true, files, domains: limits }, runtime);
    return;
  }
  const rows = limits.flatMap(({ limits: own }) =>
    own.map((limit) => [limit.path, rateText(limit), notesOf(limit)].map(printable)),
  );
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const counts = [count(files.length, 'file'), count(domains.length, 'domain'), count(rows.length, 'limit')];
  printLine(runtime, `valid: ${counts.join(', ')}\n`);
  printLine(runtime, textTable([['LIMIT', 'RATE', ''], ...rows]).trimEnd());
}

function limitsOf(descriptors: readonly DescriptorDefinition[]): LimitDefinition[] {
  return descriptors.flatMap(({ limit, descriptors: nested }) => [limit ?? [], limitsOf(nested)].flat());
}

function rateText({ rate }: LimitDefinition): string {
  if (rate === undefined) return 'unlimited';
  const { requests_per_unit, unit, unit_multiplier } = rate;
  return `${requests_per_unit} per ${unit_multiplier === 1 ? unit : `${unit_multiplier} ${unit}s`}`;
}

function notesOf({ rate, mode, name, replaces, detailed_metric }: LimitDefinition): string {
  const notes = [
    rate?.algorithm,
    mode === 'enforced' ? undefined : `${mode} mode`,
    rate === undefined || rate.failure_policy === 'local'
      ? undefined
      : `without its store: ${rate.failure_policy}`,
    name === '' ? undefined : `name ${name}`,
    replaces.length === 0 ? undefined : `replaces ${replaces.join(' and ')}`,
    detailed_metric ? 'detailed metric' : undefined,
  ];
  return notes.filter((note) => note !== undefined).join(', ');
}

function matchesOf(
  { domains }: Configuration,
  name: string | undefined,
  descriptors: readonly (readonly Entry[])[],
): Matched[] {
  const domain = domainOf(domains, name);
  const tree = descriptorTree(domain);
  const matches = descriptors.map((entries) => tree.match(entries));
  const applied = withoutReplaced(matches);
  return descriptors.map((entries, index) => {
    const match: Match | undefined = matches[index];
    return {
      descriptor: entries.map(({ key, value }) => `${key}=${value}`).join(','),
      limit: match?.limit ?? null,
      counted_by: match?.values ?? [],
      replaced: match !== undefined && applied[index] === undefined,
    };
  });
}

function domainOf(domains: readonly DomainDefinition[], name: string | undefined): DomainDefinition {
  const [only, ...others] = domains.filter(({ domain }) => name === undefined || domain === name);
  if (only !== undefined && others.length === 0) return only;
  const names = printable(domains.map(({ domain }) => domain).join(', '));
  throw usageFailure(
    name === undefined
      ? `Name one of the domains with --domain: ${names}`
      : `There is no such domain. There are: ${names}`,
  );
}

function printMatches(matches: readonly Matched[], json: boolean, runtime: Runtime): void {
  if (!matches.some(({ limit, replaced }) => limit !== null && !replaced))
    runtime.exitCode = ExitCode.NEGATIVE;
  for (const match of matches) {
    if (json) print(match, runtime);
    else printLine(runtime, printable(`${match.descriptor}: ${matchText(match)}`));
  }
}

function matchText({ limit, counted_by, replaced }: Matched): string {
  if (limit === null) return 'no limit';
  const by = counted_by.length === 0 ? '' : `, counted by ${counted_by.join(' + ')}`;
  const notes = notesOf(limit);
  const text = `${limit.path}, ${rateText(limit)}${by}${notes === '' ? '' : ` (${notes})`}`;
  return replaced ? `no limit, since another descriptor replaces ${text}` : text;
}
