import { urlProblem } from './net/url-problem.ts';

/** A process's settings cannot be used; the message lists every problem. Exit code 78 (EX_CONFIG). */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export interface IntegerRule {
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}

/** Reads environment variables. An empty variable counts as unset. */
export interface EnvReader {
  text(name: string, fallback?: string): string;
  optionalText(name: string): string | undefined;
  integer(name: string, rule?: IntegerRule): number;
  optionalInteger(name: string, rule?: Omit<IntegerRule, 'default'>): number | undefined;
  port(name: string, fallback?: number): number;
  /** `on`/`off`, `true`/`false`, `1`/`0`. */
  flag(name: string, fallback?: boolean): boolean;
  choice<const T extends string>(name: string, choices: readonly T[], fallback?: NoInfer<T>): T;
  /** A URL of one of the protocols (without colon), such as ["postgres", "postgresql"]; without white space around it. */
  url(name: string, protocols: readonly string[], fallback?: string): string;
  optionalUrl(name: string, protocols: readonly string[]): string | undefined;
  /** `host:port`: where a process listens. */
  listenAddress(name: string, fallback?: string): string;
  /** `host:port`, or several separated by commas: where others are called. */
  address(name: string, fallback?: string): string;
  /** Adds a problem that concerns several variables. */
  problem(text: string): void;
}

/**
 * Turns the environment into a typed configuration, reporting all problems at once.
 *
 * @throws ConfigError
 */
export function readEnv<T>(env: NodeJS.ProcessEnv, build: (read: EnvReader) => T): T {
  const problems: string[] = [];
  let config: T;
  try {
    config = build(reader(env, problems));
  } catch (error) {
    if (problems.length === 0) throw error; // else it stumbled over what stands in for a bad value
    throw new ConfigError(problems);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function reader(env: NodeJS.ProcessEnv, problems: string[]): EnvReader {
  const given = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);

  /** Missing without default, or malformed: noted, and `blank` stands in until all is read. */
  function value<T>(name: string, fallback: T | undefined, blank: T, parse: (text: string) => T): T {
    const text = given(name);
    if (text === undefined) {
      if (fallback === undefined) problems.push(`${name} is required`);
      return fallback ?? blank;
    }
    return parse(text);
  }

  function bad<T>(name: string, expected: string, blank: T): T {
    problems.push(`${name} must be ${expected}`);
    return blank;
  }

  function isUrl(name: string, text: string, protocols: readonly string[]): boolean {
    const problem = urlProblem(text, protocols);
    if (problem !== undefined) problems.push(`${name} ${problem}`);
    return problem === undefined;
  }

  function integer(
    name: string,
    { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, default: fallback }: IntegerRule = {},
  ): number {
    return value(name, fallback, 0, (text) => {
      const number = /^-?[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : bad(name, `a whole number from ${min} to ${max}`, 0);
    });
  }

  return {
    text: (name, fallback) => value(name, fallback, '', (text) => text),
    optionalText: given,
    integer,
    optionalInteger: (name, rule) => (given(name) === undefined ? undefined : integer(name, rule)),
    port: (name, fallback) =>
      value(name, fallback, 0, (text) => {
        const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
        return port <= 65_535 ? port : bad(name, 'a port from 0 to 65535', 0);
      }),
    flag: (name, fallback) =>
      value(name, fallback, false, (text) => {
        if (['on', 'true', '1'].includes(text)) return true;
        return ['off', 'false', '0'].includes(text) ? false : bad(name, 'on or off', false);
      }),
    choice: <const T extends string>(name: string, choices: readonly T[], fallback?: NoInfer<T>) =>
      value<T>(name, fallback, choices[0] as T, (text) => {
        const found = choices.find((choice) => choice === text);
        return found ?? bad(name, `one of ${choices.join(', ')}`, choices[0] as T);
      }),
    url: (name, protocols, fallback) =>
      value(name, fallback, '', (text) => {
        const url = text.trim();
        return isUrl(name, url, protocols) ? url : '';
      }),
    optionalUrl: (name, protocols) => {
      const url = given(name)?.trim();
      return url !== undefined && isUrl(name, url, protocols) ? url : undefined;
    },
    listenAddress: (name, fallback) =>
      value(name, fallback, '', (text) => (isAddress(text) ? text : bad(name, 'one host:port', ''))),
    address: (name, fallback) =>
      value(name, fallback, '', (text) =>
        text.split(',').every((one) => isAddress(one.trim()))
          ? text
          : bad(name, 'host:port, or several separated by commas', ''),
      ),
    problem: (text) => problems.push(text),
  };
}

/** Whether this is `host:port`. */
export function isAddress(text: string): boolean {
  const [, port] = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:,[\]]+):([0-9]{1,5})$/.exec(text) ?? [];
  return port !== undefined && Number(port) <= 65_535;
}
