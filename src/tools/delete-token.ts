/** Defines the field of a result that lets the caller delete the stored file. */
import * as z from 'zod';

export const deleteToken = z
  .string()
  .describe(
    'A token for deleting the file early: send DELETE to the url of the file with the header X-Delete-Token.',
  );
