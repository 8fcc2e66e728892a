/**
 * Sends results to the page of another tool, which opens in a new tab. A BroadcastChannel passes the files from tab to
 * tab in memory, so they are neither uploaded nor stored.
 */
import type { NextTool } from '../../tool/next-tool.ts';
import { kindOf } from './chosen-files.ts';
import { make } from './elements.ts';

const CHANNEL = 'files';
/** The prefix of the new tab's URL fragment. The ID of the offer follows. */
const HASH = '#file=';

interface Message {
  id: string;
  /** The files. Undefined in the request from the new tab. */
  files?: readonly File[];
}

let offers = new Map<string, readonly File[]>();
let isListening = false;

/** Returns a menu of the tools that take all of these files, or null if there are none. */
export function sendMenu(
  files: readonly File[],
  nextTools: readonly NextTool[],
): HTMLElement | null {
  const areSeveral = files.length > 1;
  const fitting = nextTools.filter(
    ({ kinds, isMultiple }) =>
      (isMultiple || !areSeveral) && files.every((file) => kinds.includes(kindOf(file))),
  );
  if (fitting.length === 0) return null;
  const id = crypto.randomUUID();
  offers.set(id, files);
  listen();
  const links = fitting.map(({ name, title }) =>
    make(
      'li',
      {},
      make('a', { href: `/tools/${name}${HASH}${id}`, target: '_blank', textContent: title }),
    ),
  );
  return make(
    'details',
    { className: 'menu' },
    make('summary', {
      textContent: `Send ${areSeveral ? 'all ' : ''}to another tool in a new tab`,
    }),
    make('ul', {}, ...links),
  );
}

/** Withdraws the offers of an earlier result. Otherwise its files would stay in memory. */
export function forgetOffers(): void {
  offers = new Map();
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const opened = new BroadcastChannel(CHANNEL);
  opened.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const files = offers.get(data.id);
    if (files && !data.files) opened.postMessage({ id: data.id, files } satisfies Message);
  });
}

/**
 * Receives the files that another tab offers and passes them to `take`. The fragment of the page's URL contains the ID
 * of the offer.
 */
export function takeSentFiles(take: (files: File[]) => void): void {
  if (!location.hash.startsWith(HASH)) return;
  const id = location.hash.slice(HASH.length);
  history.replaceState(null, '', location.pathname);
  const receiver = new BroadcastChannel(CHANNEL);
  receiver.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.id !== id || !data.files) return;
    receiver.close();
    take([...data.files]);
  });
  receiver.postMessage({ id } satisfies Message);
}
