/** Formats a duration, such as `3 minutes`. */

/** Formats a number of seconds as seconds, minutes or hours, rounded up. */
export function durationText(seconds: number): string {
  const [value, unit] =
    seconds < 120
      ? [Math.ceil(seconds), 'second']
      : seconds < 7200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour'];
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}
