import { expect, it } from 'vitest';
import { countedIdentity } from '../../src/lookup/counted-identity.ts';

it.each([
  ['ip:2001:db8:1:2::5', 'ip:2001:db8:1:2::/64'],
  ['ip:2001:DB8:1:2:0:0:0:5', 'ip:2001:db8:1:2::/64'],
  ['ip:2001:db8:1:2::/64', 'ip:2001:db8:1:2::/64'],
  ['2001:db8:1:2::5', 'ip:2001:db8:1:2::/64'],
  ['::1', 'ip:::/64'],
  ['ip:::ffff:192.0.2.1', 'ip:192.0.2.1'],
  ['::FFFF:192.0.2.1', 'ip:192.0.2.1'],
  ['192.0.2.1', 'ip:192.0.2.1'],
  [' ip:192.0.2.1 ', 'ip:192.0.2.1'],
  ['subnet:192.0.2.7', 'subnet:192.0.2.0/24'],
  ['subnet:192.0.2.0/24', 'subnet:192.0.2.0/24'],
  ['subnet:2001:db8:1:2::5', 'subnet:2001:db8:1::/48'],
  ['Ada@Example.com', 'ada@example.com'],
  [' Ada ', 'ada'],
  ['account:1', 'account:1'],
  ['invite:AbCd', 'invite:AbCd'],
  ['credential:session:AbCd', 'credential:session:AbCd'],
  ['ip:', 'ip:'],
  ['ip:2001:db8::/32', 'ip:2001:db8::/32'],
  ['ip:fe80::1%eth0', 'ip:fe80::1%eth0'],
  ['ip:0x7f.1', 'ip:0x7f.1'],
  ['%', '%'],
])('for %j buckets count %j', (typed, counted) => {
  expect(countedIdentity(typed)).toBe(counted);
  expect(countedIdentity(counted)).toBe(counted);
});
