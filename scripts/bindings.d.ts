/** The types of D1 and R2 for adapters that scripts use. All of Cloudflare's types would contradict Node's. */
import type * as Cloudflare from '@cloudflare/workers-types';

declare global {
  type D1Database = Cloudflare.D1Database;
  type D1PreparedStatement = Cloudflare.D1PreparedStatement;
  type R2Bucket = Cloudflare.R2Bucket;
  type R2Object = Cloudflare.R2Object;
}
