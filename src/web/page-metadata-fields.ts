/** Defines the metadata fields that fetch_page_metadata and fetch_site_logo share. */
import * as z from 'zod';

export const METADATA_FIELDS = {
  url: z.string().describe('The requested URL.'),
  finalUrl: z.string().describe('The URL after redirects.'),
  title: z.string().optional().describe('The title of the page.'),
  description: z.string().optional().describe("The page's own summary."),
  siteName: z.string().optional().describe('The site name, from og:site_name.'),
  canonical: z.string().optional().describe('The canonical URL of the page.'),
  lang: z.string().optional().describe('The language of the page, such as en.'),
  themeColor: z.string().optional().describe('The color for browser controls.'),
  author: z.string().optional().describe('The author of the page.'),
  generator: z.string().optional().describe('The program that generated the page.'),
  image: z.string().optional().describe('The URL of the image that represents the page.'),
  publishedAt: z
    .string()
    .optional()
    .describe('ISO 8601, UTC; from JSON-LD, meta and time elements.'),
  modifiedAt: z.string().optional().describe('ISO 8601, UTC.'),
  publisher: z.string().optional().describe('The publisher of the page.'),
  feeds: z.array(z.string()).describe('URLs of RSS, Atom and JSON feeds.'),
  openGraph: z.record(z.string(), z.string()).describe('Every og: tag, without its prefix.'),
  twitter: z.record(z.string(), z.string()).describe('Every twitter: tag, without its prefix.'),
};

/** The version of the cached values that contain these fields. Values of other versions are ignored. */
export const METADATA_VERSION = 4;

export type PageMetadata = z.output<z.ZodObject<typeof METADATA_FIELDS>>;
