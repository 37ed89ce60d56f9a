import { readFileSync } from 'node:fs';

/** Ports, from the first to the last. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Linux's, where there is no /proc to read it in. */
const USUAL: PortRange = { first: 32_768, last: 60_999 };
const LOWEST = 10_000;
const HIGHEST = 65_535;
const ENOUGH = 1_000;

/** The ports that the system gives to outgoing connections: one of these may take any of them at any time. */
export function ephemeralPorts(): PortRange {
  try {
    const text = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
    const [first = Number.NaN, last = Number.NaN] = text.trim().split(/\s+/).map(Number);
    return first <= last ? { first, last } : USUAL;
  } catch {
    return USUAL;
  }
}

/** Ports that no outgoing connection takes, below those or above them; where there are too few of either, any. */
export function quietPorts(ephemeral = ephemeralPorts()): PortRange {
  if (ephemeral.first - LOWEST >= ENOUGH) return { first: LOWEST, last: ephemeral.first - 1 };
  if (HIGHEST - ephemeral.last >= ENOUGH) return { first: ephemeral.last + 1, last: HIGHEST };
  return { first: LOWEST, last: HIGHEST };
}
