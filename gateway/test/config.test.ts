import { ConfigError } from '@gatehouse/kit/env';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const MiB = 1024 * 1024;

describe('the configuration', () => {
  it('has defaults', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      trusted_proxies: [],
      addresses: {
        ratelimit: '127.0.0.1:8081',
        auth: '127.0.0.1:8082',
        chat: '127.0.0.1:8083',
        oauth2: '127.0.0.1:8084',
        webhook_delivery: '127.0.0.1:8085',
        media: '127.0.0.1:8086',
      },
      bounds: {
        max_connections: 10_000,
        max_connections_per_address: 4_000,
        max_tunnels: Number.POSITIVE_INFINITY,
        max_requests: 8_192,
        max_requests_per_address: 4_096,
        max_pipelined_requests: 32,
        max_long_body_bytes: 64 * MiB,
        max_short_body_bytes: 32 * MiB,
        max_head_bytes: 48 * MiB,
        max_unsent_bytes: 64 * MiB,
        max_media_bytes: 48 * MiB,
        headers_timeout_ms: 30_000,
        request_timeout_ms: 60_000,
        body_stall_timeout_ms: 15_000,
        answer_timeout_ms: 30_000,
        heap_percent: 80,
      },
      invalid_request_limit: undefined,
      realtime_address: '127.0.0.1:8088',
      gateway_replicas: 1,
      ratelimit_timeout_ms: 250,
      rate_limits: true,
      oauth2_errors: 'off',
      web_app_url: 'http://127.0.0.1:8080',
      web_dir: undefined,
      metrics_listen: undefined,
      drain_delay_ms: 0,
      log_level: 'info',
    });
  });

  it('reads every variable; an empty one counts as unset', () => {
    const env = {
      HOST: '::1',
      PORT: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7 2001:db8::/32,,::1',
      AUTH_ADDRESS: 'auth-1:9000,[::1]:9001',
      WEBHOOK_DELIVERY_ADDRESS: 'hooks.internal:9002',
      CHAT_ADDRESS: '',
      RPC_INSECURE: 'yes',
      GATEWAY_REPLICAS: '3',
      RATELIMIT_TIMEOUT_MS: '500',
      WEB_DIR: '/srv/web',
      METRICS_LISTEN: '127.0.0.1:9464',
      RATE_LIMITS: 'off',
      NODE_ENV: 'development',
      DEV_MAIL_DIR: '/srv/mail',
      LOG_LEVEL: 'silent',
    };
    expect(readConfig(env)).toMatchObject({
      host: '::1',
      port: 0,
      trusted_proxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'],
      addresses: {
        auth: 'auth-1:9000,[::1]:9001',
        webhook_delivery: 'hooks.internal:9002',
        chat: '127.0.0.1:8083',
      },
      gateway_replicas: 3,
      ratelimit_timeout_ms: 500,
      rate_limits: false,
      oauth2_errors: 'off',
      web_dir: '/srv/web',
      dev_mail_dir: '/srv/mail',
      metrics_listen: '127.0.0.1:9464',
      log_level: 'silent',
    });
  });

  it('shows mails in development only', () => {
    expect(readConfig({ NODE_ENV: 'production' }).dev_mail_dir).toBeUndefined();
    expect(problemsOf({ NODE_ENV: 'production', DEV_MAIL_DIR: '/srv/mail' })).toEqual([
      'DEV_MAIL_DIR shows the mails of everybody: not with NODE_ENV=production',
    ]);
  });

  it('is refused with every problem if it is invalid', () => {
    const env = {
      PORT: '65536',
      TRUSTED_PROXIES: '10.0.0.0/33, proxy.internal, 192.0.2.7',
      AUTH_ADDRESS: 'auth',
      CHAT_ADDRESS: 'http://chat:1',
      GATEWAY_REPLICAS: '0',
      METRICS_LISTEN: '9464',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'loud',
    };
    expect(problemsOf(env)).toEqual([
      'TRUSTED_PROXIES: 10.0.0.0/33 is not a CIDR or an IP address',
      'TRUSTED_PROXIES: proxy.internal is not a CIDR or an IP address',
      'RATE_LIMITS may be off only where NODE_ENV is development',
      'PORT must be a port from 0 to 65535',
      'AUTH_ADDRESS must be host:port, or several separated by commas',
      'CHAT_ADDRESS must be host:port, or several separated by commas',
      'GATEWAY_REPLICAS must be a whole number from 1 to 10000',
      'METRICS_LISTEN must be one host:port',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, silent',
    ]);
  });

  it.each([
    '10',
    '10/8',
    '10.0.0/24',
    '0x0a.0.0.1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '/8',
    'fe80::1%eth0',
    '::/129',
    '*',
  ])('refuses %s as a network', (cidr) => {
    expect(problemsOf({ TRUSTED_PROXIES: cidr })).toHaveLength(1);
  });
});

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
}
