import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../src/descriptors/file/read-configuration.ts';
import { requestTexts } from './match-text.ts';

/** Equivalents of every configuration that envoyproxy/ratelimit publishes: those of its README and of its examples. */
const FOLDER = fileURLToPath(new URL('published', import.meta.url));
const { domains, problems } = readConfiguration([FOLDER]);

/** By domain: the descriptors of a request, and what its README says that they match. */
const CASES: Readonly<Record<string, readonly (readonly [descriptors: string[], limits: string[]])[]>> = {
  mongo_cps: [
    [['database=users'], ['mongo_cps.database_users']],
    [['database=default'], ['mongo_cps.database_default']],
    [['database=other'], ['no limit']],
  ],
  messaging: [
    [
      ['message_type=marketing,to_number=2061111111', 'to_number=2061111111'],
      ['messaging.message_type_marketing.to_number by 2061111111', 'messaging.to_number by 2061111111'],
    ],
    [
      ['message_type=marketing,to_number=2062222222'],
      ['messaging.message_type_marketing.to_number by 2062222222'],
    ],
    [
      ['message_type=alert,to_number=2061111111', 'message_type=marketing'],
      ['no limit', 'no limit'],
    ],
  ],
  edge_proxy_per_ip: [
    [['remote_address=50.0.0.1'], ['edge_proxy_per_ip.remote_address by 50.0.0.1']],
    [['remote_address=50.0.0.5'], ['edge_proxy_per_ip.remote_address_50.0.0.5']],
  ],
  example4: [
    [['flat=value,subkey=subvalue'], ['no limit']],
    [['nested=value,subkey=subvalue'], ['example4.nested_value.subkey by subvalue']],
  ],
  internal: [
    [
      ['ldap=x', 'azure=x', 'other=x'],
      ['internal.ldap by x', 'internal.azure by x', 'no limit'],
    ],
  ],
  example6: [
    [['service=auth-service,user=user-a'], ['example6.service.user_user-a by auth-service']],
    [['service=auth-service,user=user-b'], ['example6.service.user_user-b by auth-service']],
  ],
  example7: [
    [['key_1=value_1,user=bkthomps'], ['example7.key_1_value_1.user_bkthomps']],
    [['key_2=value_2,user=bkthomps'], ['example7.key_2_value_2.user_bkthomps']],
    [
      ['key_1=value_1,user=bkthomps', 'key_2=value_2,user=bkthomps'],
      ['no limit', 'example7.key_2_value_2.user_bkthomps'],
    ],
  ],
  example8: [
    [
      ['key1=unspecified_value', 'key1=unspecified_value2', 'key1=value1'],
      [
        'example8.key1 by unspecified_value as example8.key1_unspecified_value',
        'example8.key1 by unspecified_value2 as example8.key1_unspecified_value2',
        'example8.key1_value1',
      ],
    ],
  ],
  example9: [
    [
      ['key1=value1', 'key1=valueXYZ'],
      ['example9.key1_value* by value1', 'example9.key1_value* by valueXYZ'],
    ],
    [
      ['path=/api/123/action', 'path=/api/123/other'],
      ['example9.path_/api/*/action by /api/123/action', 'no limit'],
    ],
    [
      ['route=/api/v1/resource/123/action', 'route=/api/v2/resource/456/action'],
      [
        'example9.route_/api/*/resource/*/action by /api/v1/resource/123/action',
        'example9.route_/api/*/resource/*/action by /api/v2/resource/456/action',
      ],
    ],
  ],
  example10: [
    [
      ['route=api,http_method=GET,subject_id=123', 'route=web,http_method=POST,subject_id=456'],
      [
        'example10.route.http_method.subject_id by api, GET, 123 as example10.route_api.http_method_GET.subject_id',
        'example10.route.http_method.subject_id by web, POST, 456 as example10.route_web.http_method_POST.subject_id',
      ],
    ],
    [
      ['user=alice,action=readfile,resource=documents'],
      [
        'example10.user.action_read*.resource by alice, readfile, documents as example10.user_alice.action_readfile.resource',
      ],
    ],
  ],
  example11: [
    [
      ['files=files/a.pdf', 'files=files/b.csv'],
      ['example11.files_files/*', 'example11.files_files/*'],
    ],
    [
      ['files_no_share=files_no_share/a.pdf', 'files_no_share=files_no_share/b.csv'],
      [
        'example11.files_no_share_files_no_share/* by files_no_share/a.pdf',
        'example11.files_no_share_files_no_share/* by files_no_share/b.csv',
      ],
    ],
    [['route=api/v1,method=GET'], ['example11.route_api/*.method by GET']],
  ],
  rl: [
    [['foo=foo'], ['rl.foo by foo']],
    [['foo=foo,bar=bar'], ['rl.foo.bar by foo, bar']],
    [['foo=foo,baz=baz'], ['rl.foo.baz by foo, baz']],
    [['foo=foo,bar=banned'], ['rl.foo.bar_banned by foo']],
    [
      ['foo=foo,baz=shady', 'foo=foo,baz=not-so-shady'],
      ['rl.foo.baz_shady by foo', 'rl.foo.baz_not-so-shady by foo'],
    ],
    [
      ['foo=foo,bay=x', 'qux=x'],
      ['rl.foo.bay by foo, x', 'rl.qux by x'],
    ],
    [
      ['foo=foo,bar=bkthomps', 'source_cluster=proxy,destination_cluster=bkthomps'],
      ['no limit', 'rl.source_cluster_proxy.destination_cluster_bkthomps'],
    ],
    [
      ['category=account', 'source_cluster=proxy,destination_cluster=fake', 'foo=foo,bar=bkthomps'],
      ['rl.category_account', 'no limit', 'no limit'],
    ],
    [
      ['foo=foo,bar=banned', 'source_cluster=proxy,destination_cluster=override'],
      ['no limit', 'rl.source_cluster_proxy.destination_cluster_override'],
    ],
    [['unspec=value'], ['rl.unspec by value as rl.unspec_value']],
    [
      ['service=service_1', 'service=service_2'],
      ['rl.service_service_1', 'rl.service_service_2'],
    ],
  ],
};

test('every published configuration is valid, and has its cases here', () => {
  expect(problems).toEqual([]);
  expect(domains).toHaveLength(readdirSync(FOLDER).length);
  expect(Object.keys(CASES).sort()).toEqual(domains.map(({ domain }) => domain).sort());
});

describe.each(domains)('$domain', (domain) => {
  test.each(CASES[domain.domain] ?? [])('%j', (descriptors, limits) => {
    expect(requestTexts(domain, descriptors)).toEqual(limits);
  });
});
