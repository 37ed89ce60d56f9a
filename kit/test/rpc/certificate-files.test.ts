import { describe, expect, it } from 'vitest';
import { ConfigError, readEnv } from '../../src/env.ts';
import { readCertificateFiles } from '../../src/rpc/tls/certificate-files.ts';

const read = (env: NodeJS.ProcessEnv) =>
  readEnv(env, (reader) => readCertificateFiles(reader, ['LISTEN', 'PEER_ADDRESS']));

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const files = { RPC_TLS_CERT: 'a.pem', RPC_TLS_KEY: 'a-key.pem', RPC_TLS_CA: 'ca.pem' };
const elsewhere = { LISTEN: '0.0.0.0:8081', PEER_ADDRESS: '127.0.0.1:1,peer.internal:1' };

describe('the settings of mutual TLS', () => {
  it('are three files, or none', () => {
    expect(read({})).toBeUndefined();
    expect(read(files)).toEqual({ cert: 'a.pem', key: 'a-key.pem', ca: 'ca.pem' });
    for (const name of Object.keys(files))
      expect(problemsOf({ ...files, [name]: '' })).toEqual([expect.stringContaining('all three, or none')]);
  });

  it.each([
    '127.0.0.1:1',
    '127.9.9.9:1',
    '[::1]:1',
    'localhost:1',
    'LOCALHOST:1, [::ffff:127.0.0.1]:2',
    '',
    'what?',
  ])('are optional if gRPC stays on this machine: %s', (address) => {
    expect(problemsOf({ LISTEN: address, PEER_ADDRESS: address })).toEqual([]);
  });

  it.each([
    '0.0.0.0:1',
    '[::]:1',
    '10.0.0.1:1',
    'peer:1',
    '127.0.0.1:1,10.0.0.1:1',
    '127.0.0.1.example.com:1',
  ])('are required otherwise: %s', (address) => {
    expect(problemsOf({ LISTEN: address, PEER_ADDRESS: address })).toEqual(
      ['LISTEN', 'PEER_ADDRESS'].map((name) => expect.stringContaining(`${name} is beyond loopback`)),
    );
  });

  it('may be omitted with an explicit setting', () => {
    expect(problemsOf({ ...elsewhere, ...files })).toEqual([]);
    expect(problemsOf({ ...elsewhere, RPC_INSECURE: 'yes' })).toEqual([]);
    expect(problemsOf({ ...elsewhere, RPC_INSECURE: 'no' })).toHaveLength(2);
    expect(problemsOf({ RPC_INSECURE: 'perhaps' })).toEqual([expect.stringContaining('RPC_INSECURE')]);
  });
});
