import { readFileSync } from 'node:fs';

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Assumed on systems without /proc. */
const LINUX_DEFAULT: PortRange = { first: 32_768, last: 60_999 };
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 65_535;
const MIN_PORTS = 1_000;

/** The ephemeral ports: outgoing connections may take any of them at any time. */
export function ephemeralPorts(): PortRange {
  try {
    const text = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [first = Number.NaN, last = Number.NaN] = text.trim().split(/\s+/).map(Number);
    return first <= last ? { first, last } : LINUX_DEFAULT;
  } catch {
    return LINUX_DEFAULT;
  }
}

/** The ports below or above the ephemeral ones; all ports if both ranges are too small. */
export function nonEphemeralPorts(ephemeral = ephemeralPorts()): PortRange {
  if (ephemeral.first - LOWEST_PORT >= MIN_PORTS) return { first: LOWEST_PORT, last: ephemeral.first - 1 };
  if (HIGHEST_PORT - ephemeral.last >= MIN_PORTS) return { first: ephemeral.last + 1, last: HIGHEST_PORT };
  return { first: LOWEST_PORT, last: HIGHEST_PORT };
}
