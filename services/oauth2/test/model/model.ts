import { ALL_SCOPES } from './values.ts';

/** What the rules of docs/oauth2.md make of a sequence of calls: a plain model, without database and concurrency. */
export interface Model {
  /** How far the clock was stepped. */
  stepped_seconds: number;
  readonly people: readonly Person[];
  /** By ID; a deleted one is gone. */
  readonly applications: Map<string, Application>;
  /** By their values; what is not here is dead. */
  readonly codes: Map<string, Code>;
  readonly access: Map<string, Token>;
  readonly refresh: Map<string, Token>;
  /** All that ever was, the oldest first: what a command may present. */
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
  client_secret: string;
}

export interface Grant {
  readonly application_id: string;
  readonly account_id: string;
  /** In alphabetical order. */
  readonly scopes: readonly string[];
}

export interface Code extends Grant {
  readonly redirect_uri: string;
  readonly challenge: { readonly method: string; readonly text: string } | undefined;
}

export interface Token extends Grant {
  /** By the machine's clock. */
  readonly issued_at_seconds: number;
  /** How far the clock had been stepped then. */
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

/** With what belongs into its exchange. */
export interface SeenCode extends SeenToken {
  readonly redirect_uri: string;
  readonly code_verifier: string | undefined;
}

/** What a call comes to: an error as its status and name. */
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

/** The live access tokens of a user for an application, or for all of them. */
export function liveAccessOf(model: Model, account_id: string, application_id?: string): Token[] {
  return [...model.access.keys()].flatMap((value) => {
    const token = liveAccess(model, value);
    if (token === undefined || token.account_id !== account_id) return [];
    return application_id === undefined || token.application_id === application_id ? [token] : [];
  });
}

/** When a token was issued, by a clock on which the steps are part of its age. */
export function issuedAt(model: Model, token: Token): number {
  return token.issued_at_seconds - ageBySteps(model, token);
}

export function expiresAt(model: Model, token: Token): number {
  return issuedAt(model, token) + ACCESS_TOKEN_SECONDS;
}

function ageBySteps(model: Model, token: Token): number {
  return model.stepped_seconds - token.stepped_seconds;
}

/** Splits a scope string; undefined: it has an unknown scope, or none. */
export function scopesIn(text: string | undefined): string[] | undefined {
  const parts = new Set((text ?? '').split(/[\s+]/).filter((part) => part !== ''));
  if (parts.size === 0 || [...parts].some((part) => !ALL_SCOPES.includes(part))) return undefined;
  return [...parts].sort();
}

/** Deletes what a test of it says. */
export function drop<T>(map: Map<string, T>, isGone: (value: T) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}
