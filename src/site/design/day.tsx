/** Renders a date such as `23 November 2026`, in UTC. */
const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `at` is an ISO 8601 date. */
export const Day = ({ at }: { at: string }) => (
  <time datetime={at}>{FORMAT.format(new Date(at))}</time>
);
