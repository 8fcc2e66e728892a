/** Matches the line before each page of a document except the first. The tools that read documents insert it. */
export const PAGE_MARK = /^--- Page (\d+) ---$/m;
