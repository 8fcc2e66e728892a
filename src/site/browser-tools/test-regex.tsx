/** test_regex: shows a regular expression, its flags and the text to search, with the matches marked and listed. */

import { asset } from '../assets.ts';
import { Scroll } from '../design/scroll.tsx';
import { Table } from '../design/table.tsx';
import { COMMON_PATTERNS } from './common-patterns.ts';

const PATTERN = String.raw`(?<year>\d{4})-(?<month>\d\d)`;
const SAMPLE = 'First on 2025-03-01,\nthen again on 2026-11-21.';
/** The matches are rendered the way the page's script renders them, so that the layout does not shift. */
const MATCHES = [...SAMPLE.matchAll(new RegExp(PATTERN, 'g'))];

export function TestRegex() {
  return (
    <form id="form" class="workbench" data-worker={asset('test-regex-worker.js')}>
      <div class="card stack">
        <div class="fields regex">
          <div class="field">
            <label for="pattern">Expression</label>
            <select id="common" aria-label="Common patterns">
              <option value="">Patterns</option>
              {Object.entries(COMMON_PATTERNS).map(([name, pattern]) => (
                <option value={pattern}>{name}</option>
              ))}
            </select>
            <input
              id="pattern"
              class="code"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value={PATTERN}
              aria-describedby="pattern-error"
            />
            <span class="error" id="pattern-error" role="alert" hidden />
          </div>
          <div class="field">
            <label for="flags">Flags</label>
            <input
              id="flags"
              class="code"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value="g"
              aria-describedby="flags-error"
            />
            <span class="error" id="flags-error" role="alert" hidden />
          </div>
          <div class="cluster whole" id="slashes" hidden>
            <span class="hint">The slashes are part of the expression.</span>
            <button type="button" class="small" id="split" />
          </div>
        </div>
        <div class="field">
          <label for="text">Text</label>
          <textarea id="text" class="code" rows={8} spellcheck={false}>
            {SAMPLE}
          </textarea>
        </div>
        <details id="replacing">
          <summary>Replace the matches</summary>
          <div class="field">
            <label for="replacement">
              Replacement{' '}
              <span class="hint">
                $1 and $&lt;name&gt; insert groups; an empty replacement deletes the matches
              </span>
            </label>
            <input id="replacement" class="code" autocomplete="off" spellcheck={false} />
          </div>
        </details>
      </div>
      <section class="card stack" aria-labelledby="matches-title">
        <div class="cluster apart">
          <div class="cluster">
            <h2 id="matches-title">Matches</h2>
            <span class="chip" id="count" role="status">
              {MATCHES.length} matches
            </span>
          </div>
          <button type="button" class="small" id="copy-link">
            Copy link
          </button>
        </div>
        <div class="codeblock marks">
          <Scroll label="The text with its matches">
            <pre class="wrap" id="marked">
              {SAMPLE}
            </pre>
          </Scroll>
        </div>
        <Table label="List of matches" columns={['At', 'Match', 'Groups']} bodyId="matches">
          {MATCHES.map(({ index, 0: found, groups = {} }) => (
            <tr>
              <td>{index}</td>
              <td>{found}</td>
              <td>
                {Object.entries(groups)
                  .map(([name, value]) => `${name} = ${value}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </Table>
        <div id="replaced-box" class="stack tight" hidden>
          <h3>Replaced</h3>
          <div class="codeblock">
            <Scroll label="The replaced text">
              <pre class="wrap">
                <code id="replaced" />
              </pre>
            </Scroll>
            <button
              type="button"
              class="small"
              data-copy="replaced"
              aria-label="Copy: the replaced text"
            >
              Copy
            </button>
          </div>
        </div>
        <details id="meaning" data-script={asset('explain-regex.js')}>
          <summary>What this pattern means</summary>
          <Scroll label="The parts of the pattern">
            <div id="parts" class="parts" />
          </Scroll>
        </details>
      </section>
    </form>
  );
}
