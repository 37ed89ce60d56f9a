/** Identifiers of the buckets whose keys or charges depend on the request's body. */
export const UNSHARED_BUCKETS: ReadonlySet<string> = new Set([
  '17bdaa9335ec4c8a',
  '25b4d8f55de71ca7',
  '302e67d92949b1dc',
  '4ce5b8766f74cd2a',
  '5c837ccbe6f47e90',
  'b2500f6c7466e67a',
  'ba8c9219a2f1284d',
  'bb59e8c080c4054a',
  'bdab2b1037dc0309',
  'e1f3030ba71b0dfb',
  'e5afdfae91d25c27',
  'fe31e4387a70d24a',
]);
