/** Lists the pages about the service itself, with the questions that they answer. */
import type { Entry } from './ranking.ts';

/** The heading above these pages in the results. */
export const ABOUT_SERVICE = 'About this service';

type Page = Omit<Entry, 'words'>;

interface ServicePage extends Page {
  /** The questions that the page answers. All patterns of a question must match. */
  questions: readonly (readonly RegExp[])[];
}

const FILES = /\b(?:files?|uploads?|documents?|photos?|data)\b/;

const PAGES: readonly ServicePage[] = [
  {
    title: 'Build a chain',
    href: '/chains',
    text: 'Run several tools one after the other. Each works on the result of the one before.',
    questions: [[/^chains?$/], [/\b(?:workflows?|pipelines?|(?:build|make|run) a chain)\b/]],
  },
  {
    title: 'Limits',
    href: '/docs#limits',
    text: 'How many calls you have with and without a key, and what a response says about the rest.',
    questions: [
      [/^limits?$/],
      [/\b(?:rate|usage|call|calls|hourly|request)[ -]?limit(?:s|ing)?\b/],
      [/\bquotas?\b|\btoo many requests\b/],
    ],
  },
  {
    title: 'Delete a stored file',
    href: '/docs/files#delete-a-stored-file',
    text: 'How to delete a file before it expires.',
    questions: [
      [/\b(?:delete|deleting|erase|remove)\b/, /\b(?:my|stored|uploaded) (?:files?|uploads?)\b/],
    ],
  },
  {
    title: 'Privacy',
    href: '/privacy',
    text: 'What happens to your files, how long they are stored, and how to delete them.',
    questions: [
      [/\b(?:privacy|gdpr|cookies?|personal data|confidential(?:ity)?)\b/],
      [/\b(?:is|are)\b/, /\b(?:safe|secure|private)\b/],
      [/\b(?:how long|delete|deleted|deleting|erase|kept|stored|safe|secure|private)\b/, FILES],
      [/\bwho (?:can )?sees?\b/, FILES],
    ],
  },
  {
    title: 'Terms',
    href: '/terms',
    text: 'What you may do with this service, and what its operator promises.',
    questions: [[/\bterms\b|\bacceptable use\b/]],
  },
  {
    title: 'Contact',
    href: '/contact',
    text: 'How to contact the operator of this service or report abuse.',
    questions: [
      [/\bcontact\b(?! (?:sheet|grid|print))/],
      [/^support$/],
      [/\breport (?:abuse|a problem|a bug)\b/],
    ],
  },
  {
    title: 'Status',
    href: '/status',
    text: 'What works now, and what worked before.',
    questions: [[/\bstatus\b(?! codes?\b)|\boutages?\b|\bis (?:it|this|the service) down\b/]],
  },
];

/** Returns the pages about the service that answer a query. */
export function servicePages(query: string): Page[] {
  const text = query.toLowerCase().replace(/\s+/g, ' ').trim();
  return PAGES.filter(({ questions }) =>
    questions.some((patterns) => patterns.every((pattern) => pattern.test(text))),
  ).map(({ questions: _, ...page }) => page);
}
