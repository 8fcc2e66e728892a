/** The page of a tool that runs in the browser; the input never leaves it. */
import { raw } from 'hono/html';
import type { Tool } from '../../core/define-tool.ts';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import type { ToolDocument } from '../tool/documents.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { DecodeQrCode } from './decode-qr-code.tsx';
import { PreviewMarkdown } from './preview-markdown.tsx';
import { TestRegex } from './test-regex.tsx';

const PANELS: Record<string, () => ReturnType<typeof TestRegex>> = {
  decode_qr_code: DecodeQrCode,
  preview_markdown: PreviewMarkdown,
  test_regex: TestRegex,
};

interface BrowserToolPageProps {
  site: Site;
  tool: Tool;
  document: ToolDocument;
}

export function BrowserToolPage({ site, tool, document }: BrowserToolPageProps) {
  const { summary, html } = document;
  const Panel = PANELS[tool.name]!;
  return (
    <Layout
      site={site}
      title={`${tool.title} · ${site.serviceName}`}
      description={summary}
      scripts={[`${tool.name.replaceAll('_', '-')}.js`]}
    >
      <div class="stack tight tool-head">
        <h1>
          <ToolIcon tool={tool} />
          {tool.title}
        </h1>
        <p class="lead">{summary}</p>
        <p class="small">
          <span class="chip good">In your browser</span>{' '}
          <span class="soft">Nothing you enter here is sent anywhere.</span>
        </p>
      </div>
      <noscript>
        <p class="notice warn">
          This tool runs in the browser and needs scripts, which are disabled.
        </p>
      </noscript>
      <p class="notice bad" id="problem" role="alert" hidden />
      <Panel />
      <div class="below">
        <section class="prose" aria-labelledby="about">
          <h2 id="about">About {tool.name}</h2>
          {raw(html)}
        </section>
      </div>
    </Layout>
  );
}
