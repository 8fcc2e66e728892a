/**
 * Sends a result to the page of another tool, which opens in a new tab. A BroadcastChannel passes the file from tab to
 * tab in memory, so it is neither uploaded nor stored.
 */
import type { Taker } from '../../tool/taker.ts';
import { kindOf } from './chosen-files.ts';
import { make } from './elements.ts';

const CHANNEL = 'files';
/** The beginning of the URL fragment of the new tab. The ID of the offer follows. */
const HASH = '#file=';

interface Message {
  id: string;
  /** The file. Absent in the request of the new tab. */
  file?: File;
}

let offers = new Map<string, File>();
let isListening = false;

/** Returns a menu of the tools that take `file`, or null if there are none. */
export function sendMenu(file: File, takers: readonly Taker[]): HTMLElement | null {
  const fitting = takers.filter(({ kinds }) => kinds.includes(kindOf(file)));
  if (fitting.length === 0) return null;
  const id = crypto.randomUUID();
  offers.set(id, file);
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
    make('summary', { textContent: 'Send to another tool in a new tab' }),
    make('ul', {}, ...links),
  );
}

/** Withdraws the offers of an earlier result. Otherwise its file would stay in memory. */
export function forgetOffers(): void {
  offers = new Map();
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  const opened = new BroadcastChannel(CHANNEL);
  opened.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const file = offers.get(data.id);
    if (file && !data.file) opened.postMessage({ id: data.id, file } satisfies Message);
  });
}

/**
 * Receives the file that another tab offers and passes it to `take`. The fragment of the page's URL contains the ID of
 * the offer.
 */
export function takeSentFile(take: (file: File) => void): void {
  if (!location.hash.startsWith(HASH)) return;
  const id = location.hash.slice(HASH.length);
  history.replaceState(null, '', location.pathname);
  const receiver = new BroadcastChannel(CHANNEL);
  receiver.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.id !== id || !data.file) return;
    receiver.close();
    take(data.file);
  });
  receiver.postMessage({ id } satisfies Message);
}
