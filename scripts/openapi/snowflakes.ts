import type { JsonSchema } from './json-schema.ts';

const DECIMAL_ID = '^(0|[1-9][0-9]{0,18})$';

/** 2^63 − 1, which no number of JavaScript is. */
export const LARGEST_ID = '9223372036854775807';
/** The largest number of JavaScript that is an ID: 2^63 less one step. The document's text has LARGEST_ID in its place. */
export const LARGEST_NUMBER_OF_ID = 2 ** 63 - 1024;

/** The component schemas of IDs: in responses and parameters, and in bodies of requests. */
export const SNOWFLAKES: Readonly<Record<string, JsonSchema>> = {
  Snowflake: {
    type: 'string',
    description:
      'A 64-bit ID as decimal digits: 0 to 9223372036854775807, without sign, blanks or leading zeros.',
    pattern: DECIMAL_ID,
    examples: ['1234567890123456789'],
  },
  SnowflakeInput: {
    type: ['string', 'integer'],
    description:
      'A 64-bit ID. Send it as a string of decimal digits. An integer is accepted too, but many JSON libraries round it.',
    pattern: DECIMAL_ID,
    minimum: 0,
    maximum: LARGEST_NUMBER_OF_ID,
    examples: ['1234567890123456789'],
  },
};
