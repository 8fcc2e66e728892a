/** Defines the field of a result that lets the caller delete the stored file. */
import * as z from 'zod';

export const deleteToken = z
  .string()
  .describe('Deletes the file early: DELETE its url with the header X-Delete-Token.');
