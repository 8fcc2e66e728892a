/**
 * Declares the D1 and R2 types that scripts need. Importing all of Cloudflare's types would conflict with Node's types.
 */
import type * as Cloudflare from '@cloudflare/workers-types';

declare global {
  type D1Database = Cloudflare.D1Database;
  type D1PreparedStatement = Cloudflare.D1PreparedStatement;
  type R2Bucket = Cloudflare.R2Bucket;
  type R2Object = Cloudflare.R2Object;
}
