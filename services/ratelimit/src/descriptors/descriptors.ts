import type { PolicyRule } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import type { Domain } from './descriptor-set.ts';

/** The domains of RATELIMIT_DESCRIPTORS that are in force. */
export interface Descriptors {
  /** Undefined for a domain that is not configured. */
  domain(name: string): Domain | undefined;
  rules(): readonly PolicyRule[];
  /** Adds a listener that is called after a change, before any decision under it. */
  onReload(listener: () => void): void;
}

/** Without RATELIMIT_DESCRIPTORS. */
export const UNCONFIGURED: Descriptors = {
  domain: () => undefined,
  rules: () => [],
  onReload: () => undefined,
};
