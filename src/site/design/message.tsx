/** Renders a message in which the site's pages are links. */
import { linkedText } from './linked-text.ts';

export function Message({ text }: { text: string }) {
  return <>{linkedText(text).map(({ text, href }) => (href ? <a href={href}>{text}</a> : text))}</>;
}
