import { urlProblem } from './net/url-problem.ts';

/** A process's settings cannot be used; the message lists every problem. Exit code 78 (EX_CONFIG). */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const once = [...new Set(problems)]; // several readers read some settings
    super(['The configuration cannot be used:', ...once.map((problem) => `  - ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = once;
  }
}

/** Declares a setting. The tables of settings and .env.example are generated from its declaration. */
export interface Declaration<T> {
  /** Its meaning, as a phrase for the tables of settings. */
  readonly about: string;
  /** Its value if it is unset. Without a default it is required. */
  readonly default?: T;
  /** The default in words, if it depends on the machine or on other settings. */
  readonly unset?: string;
  /** A value for .env.example. */
  readonly example?: string;
}

/** The declaration of a setting that may be unset. */
export interface OptionalDeclaration extends Omit<Declaration<never>, 'default'> {
  /** What an unset setting means. */
  readonly unset: string;
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export interface Choices<T extends string> {
  readonly choices: readonly T[];
}

export interface Protocols {
  /** Without colon, such as ["postgres", "postgresql"]. */
  readonly protocols: readonly string[];
}

/** Reads environment variables. An empty variable counts as unset. */
export interface EnvReader {
  text(name: string, declaration: Declaration<string>): string;
  optionalText(name: string, declaration: OptionalDeclaration): string | undefined;
  integer(name: string, declaration: Declaration<number> & Range): number;
  optionalInteger(name: string, declaration: OptionalDeclaration & Range): number | undefined;
  port(name: string, declaration: Declaration<number>): number;
  /** `on`/`off`, `true`/`false`, `1`/`0`. */
  flag(name: string, declaration: Declaration<boolean>): boolean;
  choice<const T extends string>(name: string, declaration: Declaration<NoInfer<T>> & Choices<T>): T;
  /** A URL of one of the protocols, without white space around it. */
  url(name: string, declaration: Declaration<string> & Protocols): string;
  optionalUrl(name: string, declaration: OptionalDeclaration & Protocols): string | undefined;
  /** `host:port`: where a process listens. */
  listenAddress(name: string, declaration: Declaration<string>): string;
  optionalListenAddress(name: string, declaration: OptionalDeclaration): string | undefined;
  /** `host:port`, or several separated by commas: where others are called. */
  address(name: string, declaration: Declaration<string>): string;
  optionalAddress(name: string, declaration: OptionalDeclaration): string | undefined;
  /** The unparsed text of a variable that is declared elsewhere. */
  raw(name: string): string | undefined;
  /** Adds a problem that concerns several variables. */
  problem(text: string): void;
}

/** A setting as it was declared. */
export interface Setting extends Declaration<string | number | boolean>, Range, Partial<Choices<string>> {
  readonly name: string;
}

/** Where `readEnv` records the settings that are declared while it reads one of these environments. */
const DECLARED = new WeakMap<NodeJS.ProcessEnv, Setting[]>();

/** Returns the settings that `readConfig` declares, in order: runs it on an empty environment. */
export function declaredSettings(readConfig: (env: NodeJS.ProcessEnv) => unknown): readonly Setting[] {
  const settings: Setting[] = [];
  const env: NodeJS.ProcessEnv = {};
  DECLARED.set(env, settings);
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error; // required settings are missing
  }
  return settings;
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
    config = build(reader(env, problems, DECLARED.get(env)));
  } catch (error) {
    if (problems.length === 0) throw error; // otherwise a placeholder may have caused it
    throw new ConfigError(problems);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The value parsed from a setting's text, or the problem with that text. */
type Parsed<T> = { readonly value: T } | { readonly problem: string };

function reader(env: NodeJS.ProcessEnv, problems: string[], record: Setting[] | undefined): EnvReader {
  /** Undefined if the setting is unset, or its text has a problem. */
  function parsed<T>(
    name: string,
    declaration: Omit<Setting, 'name'>,
    parse: (text: string) => Parsed<T>,
  ): T | undefined {
    record?.push({ name, ...declaration });
    const text = env[name];
    if (text === undefined || text === '') return undefined;
    const result = parse(text);
    if ('value' in result) return result.value;
    problems.push(`${name} ${result.problem}`);
    return undefined;
  }

  /** Reports a required setting that is unset. Returns `placeholder` for it, and for a value with a problem. */
  function value<T>(
    name: string,
    declaration: Declaration<T & (string | number | boolean)>,
    placeholder: T,
    parse: (text: string) => Parsed<T>,
  ): T {
    const result = parsed(name, declaration, parse);
    if (result !== undefined) return result;
    if (declaration.default === undefined && (env[name] ?? '') === '') problems.push(`${name} is required`);
    return declaration.default ?? placeholder;
  }

  return {
    text: (name, declaration) => value(name, declaration, '', parseText),
    optionalText: (name, declaration) => parsed(name, declaration, parseText),
    integer: (name, declaration) => value(name, declaration, 0, integerIn(declaration)),
    optionalInteger: (name, declaration) => parsed(name, declaration, integerIn(declaration)),
    port: (name, declaration) => value(name, declaration, 0, parsePort),
    flag: (name, declaration) => value(name, declaration, false, parseFlag),
    choice: <const T extends string>(name: string, declaration: Declaration<NoInfer<T>> & Choices<T>) =>
      value<T>(name, declaration, declaration.choices[0] as T, choiceOf(declaration.choices)),
    url: (name, declaration) => value(name, declaration, '', urlOf(declaration.protocols)),
    optionalUrl: (name, declaration) => parsed(name, declaration, urlOf(declaration.protocols)),
    listenAddress: (name, declaration) => value(name, declaration, '', parseListenAddress),
    optionalListenAddress: (name, declaration) => parsed(name, declaration, parseListenAddress),
    address: (name, declaration) => value(name, declaration, '', parseAddresses),
    optionalAddress: (name, declaration) => parsed(name, declaration, parseAddresses),
    raw: (name) => env[name] || undefined,
    problem: (text) => problems.push(text),
  };
}

const parseText = (text: string): Parsed<string> => ({ value: text });

function integerIn({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
}: Range): (text: string) => Parsed<number> {
  return (text) => {
    const value = /^-?[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? { value }
      : { problem: `must be a whole number from ${min} to ${max}` };
  };
}

function parsePort(text: string): Parsed<number> {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value <= 65_535 ? { value } : { problem: 'must be a port from 0 to 65535' };
}

function parseFlag(text: string): Parsed<boolean> {
  if (['on', 'true', '1'].includes(text)) return { value: true };
  return ['off', 'false', '0'].includes(text) ? { value: false } : { problem: 'must be on or off' };
}

function choiceOf<T extends string>(choices: readonly T[]): (text: string) => Parsed<T> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? { problem: `must be one of ${choices.join(', ')}` } : { value };
  };
}

function urlOf(protocols: readonly string[]): (text: string) => Parsed<string> {
  return (text) => {
    const value = text.trim();
    const problem = urlProblem(value, protocols);
    return problem === undefined ? { value } : { problem };
  };
}

function parseListenAddress(text: string): Parsed<string> {
  return isHostPort(text) ? { value: text } : { problem: 'must be one host:port' };
}

function parseAddresses(text: string): Parsed<string> {
  return text.split(',').every((one) => isHostPort(one.trim()))
    ? { value: text }
    : { problem: 'must be host:port, or several separated by commas' };
}

/** Whether the text is `host:port`. */
export function isHostPort(text: string): boolean {
  const [, port] = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:,[\]]+):([0-9]{1,5})$/.exec(text) ?? [];
  return port !== undefined && Number(port) <= 65_535;
}
