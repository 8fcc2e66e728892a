/**
 * Renders the chain on the home page. It shrinks a photo, converts the photo to a PDF, and creates a QR code that links
 * to the PDF.
 */
import { raw } from 'hono/html';
import { GENERAL_LIMITS } from '../../access/general-limits.ts';
import { asset } from '../assets.ts';
import { FILE_URL, toolChainOf } from '../chain/chain-calls.ts';
import { HERO_TEMPLATE, templateNamed } from '../chain/templates.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';

/** The results that a run of the sample reports. test/site/pages.test.ts checks them. */
const SAMPLE_FACTS = [
  '1200 × 800 px, 89.4 KB → 29.0 KB',
  '1 page, 29.0 KB → 29.7 KB',
  'The sample QR code opens this page.',
];

interface HeroChainProps {
  /** The markup of a QR code with this page's URL. */
  code: string;
  isLimited: boolean;
}

export function HeroChain({ code, isLimited }: HeroChainProps) {
  const { title, steps } = templateNamed(HERO_TEMPLATE)!;
  const others = steps.slice(1);
  const thumbs = [<SamplePhoto />, <span class="sheet">{<SamplePhoto />}</span>, raw(code)];
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
      <div class="actions try-drop" data-js hidden>
        <span class="button main choose">
          <label for="try-file">Choose a photo</label>
          <input type="file" id="try-file" accept="image/*,.heic,.heif" />
        </span>
        <button type="button" id="try-sample">
          Run it with a sample
        </button>
        <span class="small soft for-mouse">or drop a photo here</span>
      </div>
      {isLimited && <p class="fine soft">{costOf(others.length)}</p>}
      <noscript>
        <a class="button" href={`/chains?template=${HERO_TEMPLATE}`}>
          Run this chain
        </a>
      </noscript>
      <p class="notice bad small" id="try-problem" role="alert" hidden />
      <p class="small soft" id="try-status" role="status">
        The sample after each of the three steps:
      </p>
      <ol class="made">
        {others.map(({ tool, label }, at) => (
          <li>
            <ToolIcon tool={tool} />
            <div>
              <strong>{label}</strong>
              <span class="small soft" data-facts>
                {SAMPLE_FACTS[at]}
              </span>
            </div>
            <span class="thumb" data-thumb>
              {thumbs[at]}
            </span>
          </li>
        ))}
      </ol>
      <p class="fine soft">
        Your photo is deleted after the run. The QR code opens the PDF for 24 hours.{' '}
        <a href={`/chains?template=${HERO_TEMPLATE}`}>Change the steps</a>
      </p>
    </section>
  );
}

/** Describes the cost of a run for visitors without an account. */
const costOf = (runs: number): string => {
  const { calls, per } = GENERAL_LIMITS.execution.anonymous;
  return `Without an account, a run uses ${runs} of the ${calls} free runs an ${per}.`;
};

const SamplePhoto = () => <img src={asset('sample-photo.webp')} alt="" width={160} height={107} />;
