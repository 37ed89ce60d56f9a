import type { DirectServer } from './direct-server.ts';

/** The servers of a process that several services share, by address. */
export interface LocalServers {
  at(address: string): DirectServer | undefined;
  add(address: string, server: DirectServer): void;
  remove(address: string): void;
  /** Whether messages are frozen. Receivers must not change messages; tests freeze them to check that. */
  readonly frozen: boolean;
}

export function localServers({ frozen = false }: { readonly frozen?: boolean } = {}): LocalServers {
  const servers = new Map<string, DirectServer>();
  return {
    at: (address) => servers.get(address),
    add: (address, server) => servers.set(address, server),
    remove: (address) => servers.delete(address),
    frozen,
  };
}
