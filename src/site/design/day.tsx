/** A date such as `23 November 2026`, in UTC. */
const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `at`: an ISO date. */
export const Day = ({ at }: { at: string }) => (
  <time datetime={at}>{FORMAT.format(new Date(at))}</time>
);
