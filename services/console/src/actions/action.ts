import type { Form } from '@gatehouse/kit/form';
import type { CallOptions } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import type { ActionResult } from '../log/perform.ts';
import type { Role } from '../role.ts';

/** A row of the registry: what operators can do, who may, and at which route. */
export interface Action {
  /** Such as "account.suspend". */
  readonly name: string;
  readonly role: Role;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Fastify's form, with parameters such as `:id`. */
  readonly path: string;
  /** Whether a reason is required, or may be left out. */
  readonly reason: 'required' | 'optional';
  /** Reads the request. Problems go into the form, which is checked before `run`. */
  read(form: Form, request: ActionRequest): PreparedAction;
}

export interface ActionRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface PreparedAction {
  /** Such as "account:123". */
  readonly target: string;
  readonly run: (deps: Deps, by: ActionBy) => Promise<ActionResult>;
}

/** What every admin RPC takes. */
export interface ActionBy {
  readonly operator: string;
  readonly reason: string;
}

/** Longer than a suspension waits for the services that it reaches. */
export const ACTION_TIMEOUT: CallOptions = { timeoutMs: 10_000 };

/** Reads the ID in the path. */
export function readId(form: Form, { params }: ActionRequest): string {
  const { id = '' } = params;
  if (!isSnowflake(id)) form.fail('id', 'INVALID_FORMAT', 'Must be an ID.');
  return id;
}
