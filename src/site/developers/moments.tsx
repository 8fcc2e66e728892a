/** Times on the page: in UTC, as the limits count. */

export function Moment({ at, time = true }: { at: number; time?: boolean }) {
  const iso = new Date(at).toISOString();
  return <time datetime={iso}>{time ? iso.slice(0, 16).replace('T', ' ') : iso.slice(0, 10)}</time>;
}
