/** Renders the same call in several languages, one of which is shown at a time. */
import { CodeTabs } from '../design/code-tabs.tsx';
import type { Call } from './call-code.ts';

export const CallList = ({ calls }: { calls: readonly Call[] }) => (
  <CodeTabs tabs={calls.map(({ language, code, note }) => ({ name: language, code, note }))} />
);
