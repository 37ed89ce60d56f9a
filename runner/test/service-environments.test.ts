import { ConfigError } from '@gatehouse/kit/env';
import { describe, expect, it } from 'vitest';
import { readServiceNames, serviceEnvironments } from '../src/service-environments.ts';

describe('SERVICES', () => {
  it('names services in any order, with blanks around them', () => {
    expect(readServiceNames({ SERVICES: 'auth, gateway ,ratelimit' })).toEqual([
      'gateway',
      'ratelimit',
      'auth',
    ]);
  });

  it.each([
    ['nothing', {}, /^SERVICES is required: names of gateway, ratelimit, /],
    ['an empty text', { SERVICES: '' }, /^SERVICES is required/],
    ['an unknown name', { SERVICES: 'gateway,mail' }, /^SERVICES has 'mail', which is no service/],
    ['an empty name', { SERVICES: 'gateway,' }, /^SERVICES has '', which is no service/],
    ['a name twice', { SERVICES: 'auth,auth' }, /^SERVICES has a name twice$/],
  ])('%s is a problem', (_, env, problem) => {
    expect(problemsOf(() => readServiceNames(env))[0]).toMatch(problem);
  });
});

describe('the environment of a service', () => {
  it('has the shared settings, its own in place of them, and the addresses of the others in the process', () => {
    const environments = serviceEnvironments(['gateway', 'auth', 'webhook-delivery'], {
      PORT: '9000',
      DATABASE_URL: 'postgres://shared',
      LOG_LEVEL: 'warn',
      CHAT_ADDRESS: 'chat:8083',
      AUTH_LISTEN: '0.0.0.0:9002',
      AUTH_LOG_LEVEL: 'debug',
      AUTH_ADDRESS: 'elsewhere:1',
      WEBHOOK_DELIVERY_DATABASE_URL: 'postgres://hooks',
    });
    const addresses = { CHAT_ADDRESS: 'chat:8083', AUTH_ADDRESS: '0.0.0.0:9002' };
    expect(environments.get('gateway')).toMatchObject({ PORT: '9000', LOG_LEVEL: 'warn', ...addresses });
    expect(environments.get('gateway')).not.toHaveProperty('LISTEN');
    expect(environments.get('auth')).toMatchObject({
      LISTEN: '0.0.0.0:9002',
      LOG_LEVEL: 'debug',
      DATABASE_URL: 'postgres://shared',
      WEBHOOK_DELIVERY_ADDRESS: '127.0.0.1:8085',
    });
    expect(environments.get('webhook-delivery')).toMatchObject({
      LISTEN: '127.0.0.1:8085',
      LOG_LEVEL: 'warn',
      DATABASE_URL: 'postgres://hooks',
      ...addresses,
    });
  });

  it('has no secret of another service', () => {
    const secrets = {
      AUTH_SECRET_KEY: 'a',
      REDIS_URL: 'redis://r',
      RATELIMIT_KEY_SECRET: 'k',
      SMTP_URL: 'smtp://m',
      AUTH_DATABASE_URL: 'postgres://auth',
    };
    const environments = serviceEnvironments(['ratelimit', 'auth', 'chat'], secrets);
    const seen = (name: 'ratelimit' | 'auth' | 'chat') =>
      Object.keys(environments.get(name) ?? {}).filter((key) => key in secrets);
    expect(seen('ratelimit')).toEqual(['REDIS_URL', 'RATELIMIT_KEY_SECRET']);
    expect(seen('auth')).toEqual(['AUTH_SECRET_KEY', 'SMTP_URL', 'AUTH_DATABASE_URL']);
    expect(seen('chat')).toEqual([]);
    expect(environments.get('chat')).not.toHaveProperty('DATABASE_URL');
  });

  it('of the edge has an address of its own; the others read the public one, and GATEWAY_LISTEN is realtime’s', () => {
    const environments = serviceEnvironments(['gateway', 'auth', 'realtime'], {
      HOST: 'chat.example.com',
      PORT: '443',
      GATEWAY_HOST: '0.0.0.0',
      GATEWAY_PORT: '8080',
      GATEWAY_LISTEN: '0.0.0.0:8088',
    });
    expect(environments.get('gateway')).toMatchObject({ HOST: '0.0.0.0', PORT: '8080' });
    expect(environments.get('gateway')).not.toHaveProperty('LISTEN');
    for (const name of ['auth', 'realtime'] as const)
      expect(environments.get(name)).toMatchObject({ HOST: 'chat.example.com', PORT: '443' });
    expect(environments.get('realtime')).toMatchObject({
      GATEWAY_LISTEN: '0.0.0.0:8088',
      LISTEN: '127.0.0.1:8087',
    });
  });

  it('has the certificate of its name in RPC_TLS_DIR, or its own', () => {
    const environments = serviceEnvironments(['ratelimit', 'auth'], {
      RPC_TLS_DIR: '/run/tls',
      RPC_TLS_CERT: '/etc/shared.pem',
      AUTH_RPC_TLS_CERT: '/etc/auth.pem',
    });
    expect(environments.get('ratelimit')).toMatchObject({
      RPC_TLS_CERT: '/run/tls/ratelimit.pem',
      RPC_TLS_KEY: '/run/tls/ratelimit-key.pem',
      RPC_TLS_CA: '/run/tls/ca.pem',
    });
    expect(environments.get('auth')).toMatchObject({
      RPC_TLS_CERT: '/etc/auth.pem',
      RPC_TLS_KEY: '/run/tls/auth-key.pem',
    });
  });

  it('has a port of its own for metrics: METRICS_LISTEN, and those after it', () => {
    const environments = serviceEnvironments(['gateway', 'auth', 'media'], {
      METRICS_LISTEN: '0.0.0.0:9464',
      MEDIA_METRICS_LISTEN: '127.0.0.1:7',
    });
    const ports = [...environments.values()].map(({ METRICS_LISTEN }) => METRICS_LISTEN);
    expect(ports).toEqual(['0.0.0.0:9464', '0.0.0.0:9465', '127.0.0.1:7']);
  });
});

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
