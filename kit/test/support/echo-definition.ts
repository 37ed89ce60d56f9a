import { NullableString } from '@gatehouse/proto/kit/json';

/** A service for tests of rpc: two methods that echo their request. */
export type EchoMessage = ReturnType<typeof NullableString.decode>;

const echo = {
  requestType: NullableString,
  requestStream: false,
  responseType: NullableString,
  responseStream: false,
};

export const EchoDefinition = {
  name: 'Json',
  fullName: 'kit.v1.Json',
  methods: {
    say: { ...echo, name: 'Say', options: {} },
    again: { ...echo, name: 'Again', options: { idempotencyLevel: 'IDEMPOTENT' } },
  },
} as const;

/** The same, with a method that answers with a stream. */
export const CountDefinition = {
  ...EchoDefinition,
  methods: {
    ...EchoDefinition.methods,
    count: { ...echo, name: 'Count', responseStream: true, options: { idempotencyLevel: 'NO_SIDE_EFFECTS' } },
  },
} as const;

/** The same two, with a method that has streams in both directions. */
export const TalkDefinition = {
  ...EchoDefinition,
  methods: {
    ...EchoDefinition.methods,
    talk: { ...echo, name: 'Talk', requestStream: true, responseStream: true, options: {} },
  },
} as const;
