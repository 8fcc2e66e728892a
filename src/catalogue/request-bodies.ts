/**
 * Defines the JSON bodies of POST endpoints other than tool calls. The schemas check the bodies and appear in the API
 * description.
 */
import * as z from 'zod';
import { isMediaType, mediaTypeOf } from '../lib/body.ts';

const MAX_QUERY = 500;
const MAX_TOP_K = 10;

const QUERY = '"query" must be a non-empty string. Send your search terms.';
const TOP_K = `"topK" must be a whole number from 1 to ${MAX_TOP_K}.`;

/** Whether the text has at most `most` characters, counted as code points. */
const isWithin = (text: string, most: number) =>
  text.length <= most || (text.length <= 2 * most && [...text].length <= most);

export const searchRequest = z.object({
  query: z
    .string(QUERY)
    .refine((query) => query.trim() !== '', QUERY)
    .refine(
      (query) => isWithin(query, MAX_QUERY),
      `"query" has more than ${MAX_QUERY} characters. Shorten it.`,
    )
    .meta({
      minLength: 1,
      maxLength: MAX_QUERY,
      description: 'The question or search terms.',
    }),
  topK: z.int(TOP_K).min(1, TOP_K).max(MAX_TOP_K, TOP_K).default(5).describe('Number of passages.'),
});

const FILENAME = '"filename" must be the name of the file, such as "report.pdf".';
const CONTENT_TYPE = '"contentType" must be a media type, such as "application/pdf".';

export const uploadRequest = z.object({
  filename: z
    .string(FILENAME)
    .refine((name) => name.trim() !== '', FILENAME)
    .describe('The name of the file, such as report.pdf.'),
  contentType: z
    .string(CONTENT_TYPE)
    .refine((type) => isMediaType(mediaTypeOf(type)), CONTENT_TYPE)
    .nullish()
    .meta({ description: 'The media type. Detected from the bytes if omitted.' }),
});
