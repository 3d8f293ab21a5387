/** How long somebody waits, as a clock: `0:09`, `4:31`, `2:05:00`; days in words. */

export function waitedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (count: number) => String(count).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours >= 24) return hours < 48 ? '1 day' : `${Math.floor(hours / 24)} days`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
