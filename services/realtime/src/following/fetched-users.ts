import type { Users } from '@gatehouse/auth-client/users';
import type { User } from '@gatehouse/proto/auth';

/** The public users that a response's events show. */
export class FetchedUsers {
  readonly #fetch: Users;
  readonly #requested = new Set<string>();
  readonly #found = new Map<string, User>();

  constructor(fetch: Users) {
    this.#fetch = fetch;
  }

  /** The requested users that exist. */
  get found(): ReadonlyMap<string, User> {
    return this.#found;
  }

  hasRequested(ids: readonly string[]): boolean {
    return ids.every((id) => this.#requested.has(id));
  }

  async request(ids: readonly string[]): Promise<void> {
    const missing = new Set(ids.filter((id) => !this.#requested.has(id)));
    for (const [id, user] of await this.#fetch(missing)) this.#found.set(id, user);
    for (const id of missing) this.#requested.add(id);
  }
}
