import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const DATABASE_URL = 'postgres://gatehouse@127.0.0.1:5432/gatehouse';

it('only DATABASE_URL is required, and the service has its own database on that server', () => {
  expect(readConfig({ DATABASE_URL })).toMatchObject({
    listen: '127.0.0.1:8086',
    database_url: 'postgres://gatehouse@127.0.0.1:5432/gatehouse_media',
    database_pool_size: 8,
    rpc_tls: undefined,
    decoders: 1,
    decoder_memory_bytes: 1024 * 1024 * 1024,
    drain_delay_ms: 0,
    log_level: 'info',
  });
});

it('every problem is reported at once', () => {
  const env = {
    LISTEN: 'nowhere',
    DATABASE_URL: 'mysql://x',
    DATABASE_POOL_SIZE: '2',
    MEDIA_DECODERS: '0',
    MEDIA_DECODER_MEMORY_MIB: '255',
    LOG_LEVEL: 'loud',
  };
  expect(() => readConfig(env)).toThrow(
    expect.objectContaining({
      problems: Object.keys(env).map((name) => expect.stringContaining(name)) as unknown,
    }),
  );
});
