/**
 * Stores the public links that the visitor created for results, so that they can be shown and deleted after a reload.
 */
import type { StoredFile } from './api.ts';

/** The link to each shared file. */
export const sharedLinks = new WeakMap<File, StoredFile>();
