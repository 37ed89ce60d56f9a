/** What stands in the document for the shell variables of the examples. */
const VALUES: Readonly<Record<string, string>> = {
  $CLIENT_SECRET: 'jS6lS9wAmP2xQ8rT5vY1zB4nC7eUkD0gF3hJiO2pRtE',
  $ACCESS_TOKEN: 'aD0gF3hJ6lS9wAmP2xQ8rT5vY1zB4nC7eU_iO2pRtE4',
  $REFRESH_TOKEN: 'rD0gF3hJ6lS9wAmP2xQ8rT5vY1zB4nC7eU_iO2pRtE4',
};

/** The example with values in place of shell variables. */
export function exampleSecrets(example: object): unknown {
  return JSON.parse(JSON.stringify(example), (_, value) =>
    typeof value === 'string' ? (VALUES[value] ?? value) : value,
  );
}
