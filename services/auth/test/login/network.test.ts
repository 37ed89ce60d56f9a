import { describe, expect, test } from 'vitest';
import { networkOf } from '../../src/sessions/network.ts';

describe('the network of a login is', () => {
  test.each([
    ['an IPv4 address', '203.0.113.9', '203.0.113.9'],
    ['the IPv4 address behind an IPv4-mapped one', '::ffff:203.0.113.9', '203.0.113.9'],
    ['the same, in hex', '::FFFF:cb00:7109', '203.0.113.9'],
    ['the same, at full length', '0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['a /64 of IPv6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the same for another host in it', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['the same with leading zeros and capitals', '2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['the same with an IPv4 tail', '2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
    ['the /64 with compressed zeros', '2001:db8::1', '2001:db8:0:0::/64'],
    ['the /64 with zeros in the middle', '2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['the /64 of loopback', '::1', '0:0:0:0::/64'],
    ['the /64 of an address with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['no IPv4 address, because the sixth group is not ffff', '::fffe:203.0.113.9', '0:0:0:0::/64'],
  ])('%s', (_what, ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });

  test.each(['', 'localhost', '203.0.113', '203.0.113.256', '2001:db8', ':::', '203.0.113.9:443'])(
    'none for %j',
    (text) => {
      expect(networkOf(text)).toBeUndefined();
    },
  );
});
