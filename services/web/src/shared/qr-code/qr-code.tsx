import { useLoaded } from '../api/use-loaded.ts';
import { WhenLoaded } from '../when-loaded.tsx';
import { qrPath } from './qr-path.ts';

/** A QR code, dark on light in every color scheme, because many cameras cannot read the inverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const loaded = useLoaded(async () => {
    const { encode } = await import('uqr');
    return encode(text, { ecc: 'M', border: 4 });
  }, [text]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ data, size }) => (
        <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
          <rect class="qr-light" width={size} height={size} />
          <path class="qr-dark" d={qrPath(data)} />
        </svg>
      )}
    </WhenLoaded>
  );
}
