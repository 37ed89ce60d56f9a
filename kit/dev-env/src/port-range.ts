import { readFileSync } from 'node:fs';

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Linux's default, for systems without /proc. */
const USUAL: PortRange = { first: 32_768, last: 60_999 };
const LOWEST = 10_000;
const HIGHEST = 65_535;
const ENOUGH = 1_000;

/** The ephemeral ports: outgoing connections may take any of them at any time. */
export function ephemeralPorts(): PortRange {
  try {
    const text = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [first = Number.NaN, last = Number.NaN] = text.trim().split(/\s+/).map(Number);
    return first <= last ? { first, last } : USUAL;
  } catch {
    return USUAL;
  }
}

/** Ports outside of the ephemeral ones, below or above them; all ports if either range is too small. */
export function quietPorts(ephemeral = ephemeralPorts()): PortRange {
  if (ephemeral.first - LOWEST >= ENOUGH) return { first: LOWEST, last: ephemeral.first - 1 };
  if (HIGHEST - ephemeral.last >= ENOUGH) return { first: ephemeral.last + 1, last: HIGHEST };
  return { first: LOWEST, last: HIGHEST };
}
