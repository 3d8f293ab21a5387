/** A text as a QR code: dark squares on white, whatever the theme, because cameras want it so. */
import encodeQR from 'qr';

export function QrPicture({ text }: { text: string }) {
  // The white around it, without which a camera does not find it, is part of the rows.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const size = rows.length;
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code" shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={squares.join('')} fill="#000000" />
    </svg>
  );
}
