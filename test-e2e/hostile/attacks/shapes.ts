/** Bodies that are expensive to parse for their length. */
export type Shape =
  | 'objects'
  | 'arrays'
  | 'deep'
  | 'deep_objects'
  | 'numbers'
  | 'escapes'
  | 'members'
  | 'text';

/** A JSON object of about this many bytes; the deep ones are cut off, as nothing else fits. */
export function shaped(shape: Shape, bytes: number): Buffer {
  switch (shape) {
    case 'objects':
      return filled('{"x":[{}', ',{}', ']}', bytes);
    case 'arrays':
      return filled('{"x":[[]', ',[]', ']}', bytes);
    case 'deep':
      return filled('{"x":', '[', '', bytes);
    case 'deep_objects':
      return filled('', '{"a":', '', bytes);
    case 'numbers':
      return filled('{"x":[0', ',-1.5e-7', ']}', bytes);
    case 'escapes':
      return filled('{"x":"', '\\u00e9\\n', '"}', bytes);
    case 'members':
      return members(bytes);
    case 'text':
      return filled('{"x":"', 'some text ', '"}', bytes);
  }
}

function filled(start: string, unit: string, end: string, bytes: number): Buffer {
  const count = Math.floor((bytes - start.length - end.length) / unit.length);
  return Buffer.from(start + unit.repeat(count) + end);
}

/** All names differ, so that each changes the object's shape. */
function members(bytes: number): Buffer {
  const parts: string[] = [];
  for (let length = 2; length < bytes; ) {
    const part = `"k${parts.length.toString(36)}":0`;
    parts.push(part);
    length += part.length + 1;
  }
  return Buffer.from(`{${parts.join(',')}}`);
}
