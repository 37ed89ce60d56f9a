import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { expect, it } from 'vitest';

const ENTRIES = SERVICE_NAMES.map(serviceNamed);

it('the ports of all services follow each other, so that npm start can put them at any PORT', () => {
  const ports = ENTRIES.flatMap((service) => Object.values(service.ports)).toSorted((a, b) => a - b);
  expect(ports).toEqual(ports.map((_, index) => 8080 + index));
});

it('no two services share a worker ID, and all fit into the 10 bits of a snowflake', () => {
  const ids = ENTRIES.flatMap(({ workers }) =>
    workers === undefined
      ? []
      : Array.from({ length: workers.to - workers.from + 1 }, (_, index) => workers.from + index),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...ids)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...ids)).toBeLessThanOrEqual(1023);
});
