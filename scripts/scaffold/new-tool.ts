/** The properties from which the files of a new tool are generated. */

export interface NewTool {
  /** The tool's name in the API. */
  name: string;
  /** The name of the constant that exports the definition. */
  constant: string;
  title: string;
  shortName: string;
}

/** Returns the tool's document, in the format that docs/content.md describes. */
export function sections(
  { name, title }: NewTool,
  { examples, errors }: { examples: string; errors: string },
): string {
  const today = new Date().toISOString().slice(0, 10);
  return `---
title: ${title}
description: "FILL IN: one sentence on what the tool is for."
tags: [${name.replaceAll('_', ', ')}]
publishedAt: ${today}
updatedAt: ${today}
---
FILL IN: what \`${name}\` does.

## How to use it

1. FILL IN: the steps on its page, as people see it.

- FILL IN: what they should know, in their words.

## When to use it

FILL IN: the cases it is for.

## Parameters

<!-- parameters -->

## Examples

${examples}
## Limits

<!-- limits -->

## Errors

${errors}

## When another tool is better

FILL IN: which tools, here or elsewhere, for which cases.
`;
}
