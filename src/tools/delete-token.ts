/** Defines the field of a result that lets the caller delete the stored file. */
import * as z from 'zod';

export const deleteToken = z
  .string()
  .describe(
    'A token that deletes the file early: send DELETE to its url with the header X-Delete-Token.',
  );
