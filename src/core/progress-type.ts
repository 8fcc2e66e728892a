/** What the media worker's answer with progress is called, on both sides of the wire. */

export const PROGRESS_TYPE = 'application/vnd.tools.progress';
