import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const seed = Number(process.env.GATEHOUSE_FUZZ_SEED || randomInt(2 ** 31));
const chosenRuns = Number(process.env.GATEHOUSE_FUZZ_RUNS || 0);
/** Limits shrinking, which may take hours; the shortest failing input so far is shown. */
const INTERRUPT_AFTER_MS = 20_000;

/**
 * Checks a property with this many random inputs, or GATEHOUSE_FUZZ_RUNS of them. Each run has another seed, which is
 * printed, and which GATEHOUSE_FUZZ_SEED repeats.
 */
export async function fuzz(
  name: string,
  runs: number,
  property: fc.IRawProperty<unknown, boolean>,
): Promise<void> {
  const numRuns = chosenRuns > 0 ? chosenRuns : runs;
  process.stdout.write(`fuzz: ${name}: ${numRuns} inputs, GATEHOUSE_FUZZ_SEED=${seed}\n`);
  await fc.assert(property, {
    seed,
    numRuns,
    ...(chosenRuns > 0 ? {} : { interruptAfterTimeLimit: INTERRUPT_AFTER_MS }),
  });
}

/** Mutates bytes: changes, drops, repeats and inserts some. */
export function mutated(original: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('set', 'cut', 'insert', 'repeat', 'end'),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      // Wrong lengths: 2^28, 2^32 - 1, and one of ten bytes.
      fc.constantFrom(
        [0x80, 0x80, 0x80, 0x80, 1],
        [0xff, 0xff, 0xff, 0xff, 0x0f],
        [...Array(9).fill(0xff), 1],
      ),
    ),
  });
  return fc.tuple(original, fc.array(change, { maxLength: 4 })).map(([bytes, changes]) => {
    let result = Buffer.from(bytes);
    for (const { at, kind, bytes: inserted } of changes) {
      const place = Math.floor(at * result.length);
      const head = result.subarray(0, place);
      const piece = Buffer.from(inserted);
      if (kind === 'end') result = head;
      else if (kind === 'cut') result = Buffer.concat([head, result.subarray(place + piece.length)]);
      else if (kind === 'set') result = Buffer.concat([head, piece, result.subarray(place + piece.length)]);
      else if (kind === 'insert') result = Buffer.concat([head, piece, result.subarray(place)]);
      else result = Buffer.concat([result, result.subarray(place)]);
    }
    return new Uint8Array(result);
  });
}
