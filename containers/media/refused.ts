/** Creates the 503 error for a call that the Worker can send to another instance. */
import { ToolError } from '../../src/core/errors.ts';
import { MEDIA_HEADERS } from '../../src/core/media-headers.ts';

/** `ending` also makes the Worker stop sending calls. `retryAfter` is in seconds. */
export const refused = (
  reason: 'busy' | 'busier' | 'full' | 'ending',
  message: string,
  retryAfter: number,
  cause?: unknown,
) =>
  new ToolError('internal', message, {
    status: 503,
    retryAfter,
    headers: { [MEDIA_HEADERS.refused]: reason },
    cause,
  });
