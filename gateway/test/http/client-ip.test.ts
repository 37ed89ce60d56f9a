import { clientIp } from '@gatehouse/kit/net/client-ip';
import { describe, expect, it } from 'vitest';
import { useEdge } from '../support/edge.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48', 'fd00::1'];

/** The peer; X-Forwarded-For only from trusted proxies, from the right. */
const CASES: readonly [
  what: string,
  trusted: string[],
  peer: string,
  header: string | undefined,
  client: string,
][] = [
  ['no proxy is trusted', [], '10.0.0.1', '198.51.100.1', '10.0.0.1'],
  ['no header came', PROXIES, '10.0.0.1', undefined, '10.0.0.1'],
  ['the peer is not trusted', PROXIES, '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['one proxy', PROXIES, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a single address is trusted', PROXIES, '192.0.2.7', '198.51.100.1', '198.51.100.1'],
  ['its neighbour is not', PROXIES, '192.0.2.8', '198.51.100.1', '192.0.2.8'],
  ['a chain', PROXIES, '10.0.0.1', '198.51.100.1, 10.1.1.1,10.2.2.2', '198.51.100.1'],
  [
    'a chain of both families',
    PROXIES,
    'fd00::1',
    '198.51.100.1, 10.1.1.1, 2001:db8:ffff::5',
    '198.51.100.1',
  ],
  [
    'the caller wrote entries of its own',
    PROXIES,
    '10.0.0.1',
    '1.1.1.1, 10.9.9.9, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'the caller pretends to be a proxy',
    PROXIES,
    '10.0.0.1',
    '1.1.1.1, 198.51.100.1, 10.1.1.1',
    '198.51.100.1',
  ],
  ['all are proxies', PROXIES, '10.0.0.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
  ['garbage precedes the client', PROXIES, '10.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
  ['the entry is empty', PROXIES, '10.0.0.1', '', '10.0.0.1'],
  ['the last entry is empty', PROXIES, '10.0.0.1', '198.51.100.1,', '198.51.100.1'],
  ['some entries are empty', PROXIES, '10.0.0.1', ',, 198.51.100.1 , ,"", 10.1.1.1,,', '198.51.100.1'],
  ['the first entry is empty', PROXIES, '10.0.0.1', ', 10.1.1.1', '10.1.1.1'],
  ['the last entry is garbage', PROXIES, '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['garbage behind a proxy', PROXIES, '10.0.0.1', '198.51.100.1, _hidden, 10.1.1.1', '10.1.1.1'],
  ['an entry with a port', PROXIES, '10.0.0.1', '198.51.100.1:443', '198.51.100.1'],
  ['an entry in brackets', PROXIES, '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['brackets and a port', PROXIES, '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['quotes', PROXIES, '10.0.0.1', '"2001:db8::1"', '2001:db8::1'],
  ['quotes, brackets and a port', PROXIES, '10.0.0.1', '"[2001:db8::1]:4711"', '2001:db8::1'],
  ['quotes and a port', PROXIES, '10.0.0.1', '"198.51.100.1:80", 10.1.1.1:8080', '198.51.100.1'],
  ['a mapped client with a port', PROXIES, '10.0.0.1', '[::ffff:198.51.100.1]:80', '198.51.100.1'],
  ['a proxy with a port', PROXIES, '10.0.0.1', '198.51.100.1, [2001:db8:ffff::5]:80', '198.51.100.1'],
  ['an invalid port', PROXIES, '10.0.0.1', '198.51.100.1:http', '10.0.0.1'],
  ['a port without an address', PROXIES, '10.0.0.1', ':80', '10.0.0.1'],
  ['nothing in brackets', PROXIES, '10.0.0.1', '198.51.100.1, []', '10.0.0.1'],
  ['a bracket alone', PROXIES, '10.0.0.1', '[2001:db8::1', '10.0.0.1'],
  ['a quote alone', PROXIES, '10.0.0.1', '"198.51.100.1', '10.0.0.1'],
  ['a zone in brackets', PROXIES, '10.0.0.1', '[fe80::1%eth0]', '10.0.0.1'],
  ['a number', PROXIES, '10.0.0.1', '3232235777', '10.0.0.1'],
  ['hexadecimal', PROXIES, '10.0.0.1', '0xc6.0x33.100.1', '10.0.0.1'],
  ['too few numbers', PROXIES, '10.0.0.1', '198.51', '10.0.0.1'],
  ['leading zeros', PROXIES, '10.0.0.1', '0198.051.100.1', '10.0.0.1'],
  ['a network', PROXIES, '10.0.0.1', '198.51.100.0/24', '10.0.0.1'],
  ['a zone', PROXIES, '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
  ['IPv6', PROXIES, '2001:db8:ffff::9', '2001:0DB8:0:0::1', '2001:db8::1'],
  ['a mapped peer', PROXIES, '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a mapped peer, no proxy trusted', [], '::ffff:198.51.100.1', undefined, '198.51.100.1'],
  ['a mapped client', PROXIES, '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['a mapped client in hexadecimal', PROXIES, '10.0.0.1', '::ffff:c633:6401', '198.51.100.1'],
  ['a mapped proxy in the chain', PROXIES, '10.0.0.1', '198.51.100.1, ::ffff:10.1.1.1', '198.51.100.1'],
  ['a mapped network is trusted', ['::ffff:10.0.0.0/104'], '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['its neighbour is not', ['::ffff:10.0.0.0/104'], '11.0.0.1', '198.51.100.1', '11.0.0.1'],
  ['a mapped address is trusted', ['::ffff:10.0.0.1'], '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a peer with a zone', [], 'fe80::1%eth0', undefined, 'fe80::1'],
  ['everybody is trusted', ['0.0.0.0/0', '::/0'], '203.0.113.1', '198.51.100.1, 10.1.1.1', '198.51.100.1'],
  ['blanks around', PROXIES, '10.0.0.1', '  198.51.100.1\t', '198.51.100.1'],
];

describe('the client’s address', () => {
  it.each(CASES)('when %s', (_, trusted, peer, header, client) => {
    expect(clientIp(trusted)(peer, header)).toBe(client);
  });

  it('is a placeholder if the peer has already disconnected', () => {
    expect(clientIp(PROXIES)(undefined, undefined)).toBe('0.0.0.0');
  });
});

describe('X-Forwarded-For at the edge', () => {
  const forwarded = { headers: { 'x-forwarded-for': '198.51.100.1' } };
  const ip = ({ peers }: ReturnType<typeof useEdge>) => peers.calls.at(-1)?.call.caller.ip;

  describe('that trusts no proxy', () => {
    const edge = useEdge();
    it('is not read', async () => {
      await edge.send('GET /webhooks/41/tok', forwarded);
      expect(ip(edge)).toBe('127.0.0.1');
    });
  });

  describe('that trusts its peer', () => {
    const edge = useEdge({ config: { trusted_proxies: ['127.0.0.0/8', '10.0.0.0/8'] } });
    it('is read as one list from all its headers', async () => {
      await edge.send('GET /webhooks/41/tok', forwarded);
      expect(ip(edge)).toBe('198.51.100.1');
      const several = { headers: { 'X-Forwarded-For': ['1.1.1.1', '198.51.100.2, 10.0.0.2', '10.0.0.3'] } };
      await edge.send('GET /webhooks/41/tok', several);
      expect(ip(edge)).toBe('198.51.100.2');
    });

    it('with an invalid entry is logged at most once a minute, without that entry', async () => {
      const odd = { headers: { 'x-forwarded-for': '198.51.100.1, somebody' } };
      await edge.send('GET /webhooks/41/tok', odd);
      expect(ip(edge)).toBe('127.0.0.1');
      await edge.send('GET /webhooks/41/tok', odd);
      const lines = edge.log.filter((line) => line.includes('X-Forwarded-For'));
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toContain('somebody');
    });
  });
});
