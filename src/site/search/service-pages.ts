/** Lists the pages about the service itself, with the questions that they answer. */
import { ERROR_CODES } from '../../core/errors.ts';
import type { Entry } from './ranking.ts';

/** The heading above these pages in the results. */
export const ABOUT_SERVICE = 'About this service';

type Page = Omit<Entry, 'words'>;

interface ServicePage extends Page {
  /** The patterns of each question that the page answers. All patterns of a question must match. */
  questions: readonly (readonly RegExp[])[];
  /** The queries that name a section of the page. They are also the IDs of these sections. */
  names?: readonly string[];
}

const FILES = /\b(?:files?|uploads?|documents?|photos?|data)\b/;

const PAGES: readonly ServicePage[] = [
  {
    title: 'Build a chain',
    href: '/chains',
    text: 'Run several tools one after the other. Each tool works on the previous result.',
    questions: [[/^chains?$/], [/\b(?:workflows?|pipelines?|(?:build|make|run) a chain)\b/]],
  },
  {
    title: 'Start',
    href: '/docs',
    text: 'The first call, with curl, TypeScript and Python.',
    questions: [
      [/^(?:api|curl|python|typescript|javascript|node)$|\bsdks?\b/],
      [/\b(?:getting started|get started|quick ?start|first call)\b/],
      [
        /\b(?:curl|python|typescript|javascript|node|code|api)\b/,
        /\b(?:examples?|samples?|snippets?)\b/,
      ],
    ],
  },
  {
    title: 'Limits',
    href: '/docs#limits',
    text: 'How many calls you can make with and without a key, and how a response reports the remaining quota.',
    questions: [
      [/^limits?$/],
      [/\b(?:rate|usage|call|calls|hourly|request)[ -]?limit(?:s|ing)?\b/],
      [/\bquotas?\b|\btoo many requests\b|\bhow many (?:calls|requests|runs)\b/],
    ],
  },
  {
    title: 'What is free',
    href: '/docs#limits',
    text: 'Every tool is free to use. The limits say how many calls you can make with and without a key.',
    questions: [
      [
        /^(?:(?:prices?|pricing|costs?|free|paid|subscriptions?|billing)(?: plans?| tiers?)?|plans?)$/,
      ],
      [
        /\b(?:how much (?:does|is)|what does|does) (?:it|this|the (?:service|api))\b/,
        /\b(?:cost|how much)\b/,
      ],
      [/\b(?:is|are) (?:it|this|everything|the (?:service|api|site|tools?))(?: really)? free\b/],
      [/\bfree (?:of charge|plans?|tiers?|quota|to use)\b|\b(?:do i|have to|need to) pay\b/],
      [/\bapi\b/, /\b(?:prices?|pricing|costs?)\b/],
    ],
  },
  {
    title: 'Get an API key',
    href: '/developers',
    text: 'Create a trial key without an account, or sign in for permanent keys.',
    questions: [
      [/^(?:(?:api|trial|access)[ -]?)?keys?$/],
      [/\b(?:create|get|generate|make|new)\b/, /\b(?:api|trial|access)[ -]?keys?\b/],
    ],
  },
  {
    title: 'Keys and accounts',
    href: '/docs/accounts',
    text: 'How to sign in, create an API key and send it.',
    questions: [
      [/\bauthenti(?:fi)?cat(?:e|ed|ing|ion)\b|\bauthoriz(?:e|ation)\b/],
      [/^keys?$|\b(?:api|trial|access)[ -]?keys?\b|\bbearer\b|\bapi tokens?\b/],
      [/\b(?:sign|log)(?:ing)?[ -]?(?:in|up)\b|^accounts?$|^register$/],
      [/\b(?:create|get|rotate|revoke|new|lost)\b/, /\bkeys?\b/],
    ],
  },
  {
    title: 'API reference',
    href: '/docs/api',
    text: 'Every endpoint and every tool of the API, with its parameters, results and commands.',
    questions: [
      [/^api$|\b(?:openapi|swagger|endpoints?|rest api|api reference|api docs?)\b/],
      [/\bapi\/v\d|^(?:get|post|put|delete) \//],
    ],
  },
  {
    title: 'Connect an agent',
    href: '/docs/mcp',
    text: 'How to add the tools to Claude, Cursor and other clients over MCP.',
    questions: [
      [/^mcp(?: servers?)?$|\bconnect (?:an |my )?agents?\b/],
      [/^(?:claude(?: (?:code|desktop))?|cursor|codex|vs ?code|chatgpt|ai agents?)$/],
    ],
  },
  {
    title: 'Calls from a web page',
    href: '/docs#from-a-program',
    text: 'Which web pages can call the API from the browser.',
    questions: [[/\bcors\b|\bcross[ -]origin\b/]],
  },
  {
    title: 'Errors',
    href: '/docs/errors',
    text: 'The status codes, what an error contains, and when to repeat a call.',
    names: ERROR_CODES,
    questions: [
      [/\berror codes?\b|^errors?$|^(?:http )?(?:4\d\d|5\d\d)(?: error)?$/],
      [/\b(?:4[0-3]\d|50[0-4])\b/, /\b(?:mean|means|error|status|code|why|fix|http|response)\b/],
      [/^(?:retry-?after|x-?request-?id|x-tool-warnings?|tool warnings?)$/],
    ],
  },
  {
    title: 'Jobs',
    href: '/docs/chains#jobs',
    text: 'How to start a long call, follow its progress and fetch the result later.',
    questions: [[/^jobs?$|\bevent[ -]?streams?\b|\bsse\b|^progress$/]],
  },
  {
    title: 'Use the command and the client',
    href: '/how-to/use-the-command-and-the-client',
    text: 'How to call the tools from a terminal or from a TypeScript program.',
    questions: [[/^(?:cli|npm|npx)$|\bcommand[ -]line\b|\bterminal\b/]],
  },
  {
    title: 'Run a long call as a job',
    href: '/how-to/run-a-long-call-as-a-job',
    text: 'How to be notified when the result is ready.',
    questions: [[/\b(?:webhooks?|callbacks?|async|asynchron\w*)\b/]],
  },
  {
    title: 'Repeat a call safely',
    href: '/how-to/repeat-a-call-safely',
    text: 'How an Idempotency-Key prevents a repeated call from running twice.',
    questions: [[/\bidempoten(?:t|cy)(?:[ -]key)?\b/]],
  },
  {
    title: 'Files',
    href: '/docs/files',
    text: 'How to send files and links to files, and how large they may be.',
    questions: [
      [/\bfileurls?\b/],
      [/\b(?:max|maximum|largest|how large|how big|limits?)\b/, /\b(?:file|upload)s?\b/],
      [/\b(?:file|upload) size\b|^\d+ ?[mg]b$/],
    ],
  },
  {
    title: 'Delete a stored file',
    href: '/docs/files#delete-a-stored-file',
    text: 'How to delete a file before it expires.',
    questions: [
      [/\b(?:delete|deleting|erase|remove)\b/, /\b(?:my|stored|uploaded) (?:files?|uploads?)\b/],
      [/^delete (?:an? |the )?(?:files?|uploads?)$/],
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
    title: 'Run the service on your laptop',
    href: '/how-to/run-the-service-on-your-laptop',
    text: 'How to start the whole service with one command, without an account.',
    questions: [
      [/\b(?:docker|self[ -]?host(?:ed|ing)?|open[ -]source|source code|on premises?)\b/],
    ],
  },
  {
    title: 'Terms',
    href: '/terms',
    text: 'What you may do with this service, and what its operator promises.',
    questions: [[/\bterms\b|\bacceptable use\b|\bcommercial(?:ly)?\b|\bfor business\b/]],
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
    title: 'Report abuse',
    href: '/abuse',
    text: 'How to report a file or a short link that should not be here.',
    questions: [[/\babuse\b/]],
  },
  {
    title: 'Status',
    href: '/status',
    text: 'What works now, and what worked in the last 24 hours and 90 days.',
    questions: [
      [
        /^(?:uptime|health)$|\bstatus\b(?! codes?\b)|\boutages?\b|\bis (?:it|this|the service) down\b/,
      ],
    ],
  },
];

/** Words in the patterns that visitors may misspell, used to correct queries. */
export const SERVICE_WORDS: Entry = {
  title: '',
  href: '',
  text: '',
  words: [
    'account authentication callback chain endpoint error idempotency key limit openapi privacy quota ratelimit status terms webhook',
  ],
};

/** Returns the pages about the service that answer a query. */
export function servicePages(query: string): Page[] {
  const text = query.toLowerCase().replace(/\s+/g, ' ').trim();
  return PAGES.filter(
    ({ questions, names }) =>
      names?.includes(text) ||
      questions.some((patterns) => patterns.every((pattern) => pattern.test(text))),
  ).map(({ title, href, text: description, names }) => ({
    title,
    text: description,
    href: names?.includes(text) ? `${href}#${text}` : href,
  }));
}
