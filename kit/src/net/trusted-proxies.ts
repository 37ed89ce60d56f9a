import type { EnvReader } from '../env.ts';
import { parseNetworks } from './client-ip.ts';

/** TRUSTED_PROXIES: CIDRs and addresses. */
export function readTrustedProxies(read: EnvReader): string[] {
  const text = read.optionalText('TRUSTED_PROXIES', {
    about:
      'CIDRs or addresses of proxies, separated by commas; their `X-Forwarded-For` is read from the right to the first address that is not one of them',
    unset: 'none',
    example: '10.0.0.0/8',
  });
  const proxies = (text ?? '').split(/[\s,]+/).filter((cidr) => cidr !== '');
  for (const cidr of proxies)
    if (parseNetworks([cidr]) === undefined)
      read.problem(`TRUSTED_PROXIES: ${cidr} is not a CIDR or an IP address`);
  return proxies;
}
