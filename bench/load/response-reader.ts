const HEAD_END = '\r\n\r\n';
const LENGTHS = ['\r\ncontent-length: ', '\r\nContent-Length: '] as const;

/**
 * Returns a function that finds HTTP/1.1 responses in the chunks of a connection, as latin1 text. It supports only
 * bodies with a Content-Length.
 */
export function responseReader(onResponse: (status: number, body: string) => void): (text: string) => void {
  let held = '';
  return (text) => {
    held = held === '' ? text : held + text;
    for (let headEnd = held.indexOf(HEAD_END); headEnd >= 0; headEnd = held.indexOf(HEAD_END)) {
      const status = Number(held.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
      const end = headEnd + HEAD_END.length + bodyLength(held, headEnd, status);
      if (held.length < end) return;
      const body = held.slice(headEnd + HEAD_END.length, end);
      held = held.length === end ? '' : held.slice(end);
      onResponse(status, body);
    }
  };
}

function bodyLength(response: string, headEnd: number, status: number): number {
  if (status === 204) return 0;
  for (const length of LENGTHS) {
    const at = response.indexOf(length);
    if (at >= 0 && at < headEnd) return Number.parseInt(response.slice(at + length.length, headEnd), 10);
  }
  throw new Error('a response without a Content-Length');
}
