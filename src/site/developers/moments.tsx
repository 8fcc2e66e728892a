/** Renders a time in UTC, because quotas reset at UTC times. */

export function Moment({ at, time = true }: { at: number; time?: boolean }) {
  const text = momentText(at);
  return <time datetime={new Date(at).toISOString()}>{time ? text : text.slice(0, 10)}</time>;
}

/** Formats a time as `2026-11-21 10:00`. */
export const momentText = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
