/** Describes the operations on stored files, for the API description (OpenAPI). */
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { error } from './openapi-shared.ts';

const failures = {
  404: error('The link is unknown, or its file was deleted'),
  410: error('The link has expired, or an operator removed the file'),
  412: error('The file does not match If-Match or If-Unmodified-Since'),
  429: error('Rate limited'),
};

export const filePaths: ZodOpenApiPathsObject = {
  '/files/{id}/{filename}': {
    parameters: [
      ['id', 'The ID of the file'],
      ['filename', 'The file name, as in the link'],
    ].map(([name, description]) => ({
      name: name!,
      description,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    get: {
      operationId: 'getFile',
      summary: 'Download a file',
      description: 'With `?download`, browsers save the file instead of showing it.',
      responses: {
        200: { description: 'The bytes of the file' },
        206: { description: 'The bytes of the requested range' },
        304: { description: 'The file is unchanged' },
        ...failures,
        416: error('The range is outside the file'),
      },
    },
    delete: {
      operationId: 'deleteFile',
      summary: 'Delete a file',
      description: 'Deletes a stored file before it expires.',
      parameters: [
        {
          name: 'X-Delete-Token',
          in: 'header',
          required: true,
          description: 'The deleteToken from the response that returned the link',
          schema: { type: 'string' },
        },
      ],
      responses: {
        204: { description: 'The file is deleted' },
        400: error('The token is missing'),
        403: error('The token is for a different file'),
        ...failures,
      },
    },
  },
};
