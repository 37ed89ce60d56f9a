import { callsPage } from './calls-page.ts';
import { withPeerPolicies } from './peer-policies.ts';
import { withServicesTable } from './services-table.ts';

/** The files that are generated from proto/services.ts, each with the function that makes it of the file as it is. */
export const FILES: Readonly<Record<string, (current: string) => string>> = {
  'README.md': withServicesTable,
  'docs/calls.md': callsPage,
  'deploy/envoy/internal.yaml': withPeerPolicies,
};
