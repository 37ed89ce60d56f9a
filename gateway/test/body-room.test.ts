import { expect, it } from 'vitest';
import { bodyRoom } from '../src/steps/body-room.ts';

const newRoom = () => bodyRoom({ max_bytes: 100, max_bytes_a_client: 60 });

it('is taken to the byte, by one client a part of it', () => {
  const room = newRoom();
  const [one, two, three] = [{}, {}, {}];
  expect(room.take(one, 'a', 40)).toBe(true);
  expect(room.take(two, 'a', 21)).toBe(false);
  expect(room.take(two, 'a', 20)).toBe(true);
  expect(room.take(three, 'b', 41)).toBe(false);
  expect(room.take(three, 'b', 40)).toBe(true);
  expect(room.take(three, 'b', 1)).toBe(false);
});

it('is given back by requests as a whole, and once', () => {
  const room = newRoom();
  const [one, two] = [{}, {}];
  for (let count = 0; count < 6; count++) expect(room.take(one, 'a', 10)).toBe(true);
  expect(room.take(two, 'a', 1)).toBe(false);
  room.leave(one);
  room.leave(one);
  room.leave({});
  expect(room.take(two, 'a', 60)).toBe(true);
  expect(room.take(one, 'b', 41)).toBe(false);
});
