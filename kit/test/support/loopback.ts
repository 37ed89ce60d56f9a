/**
 * The address of these tests' servers. Linux answers on all of 127.0.0.0/8: with an address of their own, no client
 * of another test, which looks for a missing server, finds one of these on its port.
 */
export const LOOPBACK = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
