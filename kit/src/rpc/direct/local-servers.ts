import type { DirectServer } from './direct-server.ts';

/** The servers of a process that several services share, by address. */
export interface LocalServers {
  /** Whether a service of this process listens at the address, even before it has started. */
  owns(address: string): boolean;
  at(address: string): DirectServer | undefined;
  add(address: string, server: DirectServer): void;
  remove(address: string): void;
  /** Whether messages are frozen. Receivers must not change messages; tests freeze them to check that. */
  readonly frozen: boolean;
}

export interface LocalServersOptions {
  /** The addresses at which services of this process listen. Default: every address. */
  readonly addresses?: readonly string[];
  readonly frozen?: boolean;
}

export function localServers({ addresses, frozen = false }: LocalServersOptions = {}): LocalServers {
  const servers = new Map<string, DirectServer>();
  return {
    owns: (address) => addresses?.includes(address) ?? true,
    at: (address) => servers.get(address),
    add: (address, server) => servers.set(address, server),
    remove: (address) => servers.delete(address),
    frozen,
  };
}
