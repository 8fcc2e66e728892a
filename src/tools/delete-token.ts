/** Defines the field of a result that lets the caller delete the stored file. */
import * as z from 'zod';

export const deleteToken = z
  .string()
  .describe(
    'A token for deleting the file early: send a DELETE request to the URL of the file with the token in the X-Delete-Token header.',
  );
