import { ALL_SCOPES } from './values.ts';

/** The rules of docs/oauth2.md as a plain model, without database and concurrency. */
export interface Model {
  /** How far the clock was advanced. */
  stepped_seconds: number;
  readonly people: readonly Person[];
  /** By ID. Deleted ones are removed. */
  readonly applications: Map<string, Application>;
  /** By value. Missing ones are dead. */
  readonly codes: Map<string, Code>;
  readonly access: Map<string, Token>;
  readonly refresh: Map<string, Token>;
  /** Everything ever issued, oldest first: commands may present any of it. */
  readonly seen: Seen;
}

export interface Person {
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
}

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly owner_id: string;
  readonly bot_public: boolean;
  readonly bot_require_code_grant: boolean;
  readonly redirect_uris: readonly string[];
  /** Undefined for a public client. */
  client_secret: string | undefined;
}

export interface Authorization {
  readonly application_id: string;
  readonly account_id: string;
  /** In alphabetical order. */
  readonly scopes: readonly string[];
}

export interface Code extends Authorization {
  readonly redirect_uri: string;
  readonly challenge: { readonly method: string; readonly text: string } | undefined;
}

export interface Token extends Authorization {
  /** By the machine's clock. */
  readonly issued_at_seconds: number;
  /** How far the clock had been advanced then. */
  readonly stepped_seconds: number;
}

export interface Seen {
  readonly application: { readonly id: string; readonly client_secrets: string[] }[];
  readonly code: SeenCode[];
  readonly access: SeenToken[];
  readonly refresh: SeenToken[];
}

export interface SeenToken {
  readonly value: string;
  readonly application_id: string;
}

/** With the parameters of its exchange. */
export interface SeenCode extends SeenToken {
  readonly redirect_uri: string;
  readonly code_verifier: string | undefined;
}

/** The outcome of a call. An error is its status and name. */
export type Answer = { readonly ok: unknown } | { readonly error: string };

export function newModel(people: readonly Person[]): Model {
  return {
    stepped_seconds: 0,
    people,
    applications: new Map(),
    codes: new Map(),
    access: new Map(),
    refresh: new Map(),
    seen: { application: [], code: [], access: [], refresh: [] },
  };
}

const ACCESS_TOKEN_SECONDS = 604_800;

/** An access token that is live. */
export function liveAccess(model: Model, value: string): Token | undefined {
  const token = model.access.get(value);
  return token !== undefined && ageBySteps(model, token) < ACCESS_TOKEN_SECONDS ? token : undefined;
}

/** The live access tokens of a user for an application, or for all applications. */
export function liveAccessOf(model: Model, account_id: string, application_id?: string): Token[] {
  return [...model.access.keys()].flatMap((value) => {
    const token = liveAccess(model, value);
    if (token === undefined || token.account_id !== account_id) return [];
    return application_id === undefined || token.application_id === application_id ? [token] : [];
  });
}

/** The time of issue of a token, by a clock that includes the advances. */
export function issuedAt(model: Model, token: Token): number {
  return token.issued_at_seconds - ageBySteps(model, token);
}

export function expiresAt(model: Model, token: Token): number {
  return issuedAt(model, token) + ACCESS_TOKEN_SECONDS;
}

function ageBySteps(model: Model, token: Token): number {
  return model.stepped_seconds - token.stepped_seconds;
}

/** Splits a scope string. Undefined if a scope is unknown, or there is none. */
export function scopesIn(text: string | undefined): string[] | undefined {
  const parts = new Set((text ?? '').split(/[\s+]/).filter((part) => part !== ''));
  if (parts.size === 0 || [...parts].some((part) => !ALL_SCOPES.includes(part))) return undefined;
  return [...parts].sort();
}

/** Deletes the entries that match. */
export function drop<T>(map: Map<string, T>, isGone: (value: T) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}
