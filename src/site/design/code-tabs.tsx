/**
 * Renders code in several languages, one of which is shown at a time. It works without scripts, because CSS shows the
 * code of the chosen language.
 */
import type { CodeBlockProps } from './code-block.tsx';
import { CodeBlock } from './code-block.tsx';

interface CodeTab {
  name: string;
  code: CodeBlockProps['code'];
  /** A note about using the code, if needed. */
  note?: string | undefined;
}

export function CodeTabs({ tabs }: { tabs: readonly CodeTab[] }) {
  return (
    <fieldset class="tabs">
      <legend class="hidden">Language of the code</legend>
      {tabs.map(({ name }, index) => (
        <>
          <input type="radio" name="language" id={`in-${name}`} checked={index === 0} />
          <label for={`in-${name}`}>{name}</label>
        </>
      ))}
      {tabs.map(({ name, code, note }) => (
        <div class="tab">
          <CodeBlock code={code} what={`the call in ${name}`} />
          {note && <p class="small soft">{note}</p>}
        </div>
      ))}
    </fieldset>
  );
}
