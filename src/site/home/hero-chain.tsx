/** A chain that runs on the home page: a photo becomes smaller, then a PDF, then a QR code of the PDF's link. */

import { asset } from '../assets.ts';
import { FILE_URL, toolChainOf } from '../chain/chain-calls.ts';
import { HERO_TEMPLATE, templateNamed } from '../chain/templates.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';

export function HeroChain() {
  const { title, steps } = templateNamed(HERO_TEMPLATE)!;
  const others = steps.slice(1);
  return (
    <section
      id="try"
      class="card stack hero-chain"
      aria-labelledby="try-title"
      data-chain={JSON.stringify(toolChainOf(steps))}
      data-placeholder={FILE_URL}
      data-samples={asset('sample-files.js')}
    >
      <h2 id="try-title">{title}</h2>
      <ol class="made">
        {others.map(({ tool, label }) => (
          <li>
            <ToolIcon tool={tool} />
            <div>
              <strong>{label}</strong>
              <span class="small soft" data-facts>
                {tool.title}
              </span>
            </div>
            <span class="thumb" data-thumb />
          </li>
        ))}
      </ol>
      <p class="notice bad small" id="try-problem" role="alert" hidden />
      <p class="hidden" id="try-status" role="status" />
      <div class="actions">
        <button type="button" class="main" data-js hidden id="try-sample">
          Run it with a sample
        </button>
        <span class="button choose" data-js hidden>
          <label for="try-file">Use your own photo</label>
          <input type="file" id="try-file" accept="image/*,.heic,.heif" />
        </span>
        <noscript>
          <a class="button" href={`/chains?template=${HERO_TEMPLATE}`}>
            Run this chain
          </a>
        </noscript>
      </div>
      <p class="fine soft">
        Your photo is deleted after the run. The PDF can be opened with the code for 24 hours.{' '}
        <a href={`/chains?template=${HERO_TEMPLATE}`}>Change the steps</a>
      </p>
    </section>
  );
}
