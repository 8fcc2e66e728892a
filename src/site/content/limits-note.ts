/** If this server has no limits, adds a note to texts that mention limits. */
import type { Site } from '../site.ts';

const NAMES_LIMITS = /\d an hour|\d a minute|\d executions|\d runs/;
const HEADING = '<h2 id="limits">';
const HEADING_END = '</h2>';
const NOTE =
  '<p class="notice">This server has no limits on the number of calls. The limits in this text are the defaults.</p>';

/** Returns the HTML of a text with the note below the heading "Limits", or at the start if there is no such heading. */
export function withLimitsNote(html: string, { isLimited }: Pick<Site, 'isLimited'>): string {
  if (isLimited || !NAMES_LIMITS.test(html)) return html;
  const heading = html.indexOf(HEADING);
  const at = heading < 0 ? 0 : html.indexOf(HEADING_END, heading) + HEADING_END.length;
  return html.slice(0, at) + NOTE + html.slice(at);
}
