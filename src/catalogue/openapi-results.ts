/**
 * Defines the schemas of the JSON that execute, jobs and chains return for each tool, for the API description
 * (OpenAPI).
 */
import * as z from 'zod';
import type { Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';
import { isExecutable } from './catalogue.ts';
import { time, uri } from './openapi-shared.ts';

export const executable = TOOLS.filter(isExecutable);

/** Returns a tool's name in Pascal case, for schema names. */
export const pascal = (name: string) =>
  name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());

export const fileLink = z
  .object({
    url: uri.describe('A link that is valid for 24 hours. Other tools accept it as fileUrl.'),
    filename: z.string().describe('The name under which browsers save the file'),
    contentType: z.string().describe('The media type of the file'),
    size: z.int().describe('Bytes'),
    expiresAt: time.describe('When the link expires'),
    pages: z.int().optional().describe('Number of pages of a PDF'),
    width: z.int().optional().describe('Width of an image or a video in pixels'),
    height: z.int().optional().describe('Height of an image or a video in pixels'),
    durationMs: z.int().optional().describe('The length of a video in milliseconds'),
    inputBytes: z.int().optional().describe('The total size of the input files'),
    deleteToken: z
      .string()
      .optional()
      .describe(
        'A token for deleting the file early: send a DELETE request to the URL of the file with the token in the X-Delete-Token header',
      ),
  })
  .meta({ id: 'FileLink', description: 'A file created by a tool and stored for 24 hours' });

/** Returns the schema of a link to a tool's file, with only the fields that apply to the tool's output and input. */
function linkOf({ name, files }: Tool, produces: readonly string[]): z.ZodObject {
  const { pages, width, height, durationMs, inputBytes, ...always } = fileLink.shape;
  const isMade = (type: string) => produces.some((made) => made.startsWith(type));
  return z
    .object({
      ...always,
      ...(isMade('application/pdf') && { pages }),
      ...((isMade('image/') || isMade('video/')) && { width, height }),
      ...(isMade('video/') && { durationMs }),
      ...(files && { inputBytes }),
    })
    .meta({ id: `${pascal(name)}File`, description: fileLink.description });
}

function describedResult(tool: Tool): z.ZodType {
  const { name, output, produces } = tool;
  const value = output?.meta({ id: `${pascal(name)}Result` });
  if (!produces) return value!;
  const link = linkOf(tool, produces);
  return value ? z.union([link, value]).describe('A link to the file, or the JSON result') : link;
}

const results = new Map(executable.map((tool) => [tool.name, describedResult(tool)]));

/**
 * Returns the schema of a tool's JSON result. A file is described as a link, because jobs, chains and calls with
 * `Accept: application/json` return it as a link.
 */
export const resultOf = ({ name }: Tool): z.ZodType => results.get(name)!;

/** The schema of any tool's result. */
export const anyResult = z.union([
  fileLink,
  ...executable.flatMap((tool) => (tool.output ? [resultOf(tool)] : [])),
]);

/** Returns the schema of a file's bytes, in multipart/form-data and in responses. */
export const bytesOf = (contentMediaType: string) => z.string().meta({ contentMediaType });
