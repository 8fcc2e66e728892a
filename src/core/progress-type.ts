/** The media type of media worker responses that carry progress. */

export const PROGRESS_TYPE = 'application/vnd.tools.progress';
