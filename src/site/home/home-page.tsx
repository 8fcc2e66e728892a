/** The home page: what the service is, a demo, all tools, and how an agent connects. */
import { countsText } from '../../catalogue/counts.ts';
import { toolsByKind } from '../../catalogue/kinds.ts';
import { STOP } from '../../content/terms.ts';
import { TOOLS } from '../../tools/registry.ts';
import { CodeBlock } from '../design/code-block.tsx';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { mcpConfiguration } from '../tool/calls.ts';
import type { ToolListing } from '../tool/documents.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { Demo } from './demo.tsx';
import { searchWords } from './search-words.ts';

interface HomePageProps {
  site: Site;
  qrDataUrl: string;
  /** A summary of each tool, by name. */
  listings: ReadonlyMap<string, ToolListing>;
}

export function HomePage({ site, qrDataUrl, listings }: HomePageProps) {
  const { serviceName, baseUrl } = site;
  return (
    <Layout
      site={site}
      title={`${serviceName}: developer tools for people, programs and agents`}
      description={`${TOOLS.length} developer tools on a page, over HTTP and over MCP: PDF, images, video, OCR, links, text. No key needed.`}
      scripts={['home.js', 'tool-form.js']}
    >
      <div class="hero">
        <div class="stack">
          <h1>{TOOLS.length} developer tools, for the browser, for code and for AI agents</h1>
          <p class="lead">
            Merge PDFs, compress images, read scans, make QR codes. Use the tools here, over HTTP,
            or from your AI agent. No key is needed, but a key raises the limits.
          </p>
          <div class="cluster">
            <a class="button main" href="#tools">
              Find a tool
            </a>
            <a class="button" href="#agent">
              Connect an agent
            </a>
          </div>
        </div>
        <Demo site={site} qrDataUrl={qrDataUrl} />
      </div>
      <section id="tools" class="stack loose" aria-labelledby="tools-title">
        <div class="stack">
          <h2 id="tools-title">All tools</h2>
          <p class="soft">{countsText()}.</p>
          <search data-js hidden>
            <form class="finder" action="/" data-ignored={[...STOP].join(' ')}>
              <label for="search" class="hidden">
                Find a tool
              </label>
              <input
                id="search"
                type="search"
                placeholder="pdf, base64, thumbnail…"
                autocomplete="off"
              />
            </form>
          </search>
          <p id="found" class="hidden" role="status" />
        </div>
        {toolsByKind().map(([kind, tools]) => (
          <section class="kind">
            <h3>{kind}</h3>
            <ul class="grid">
              {tools.map((tool) => {
                const listing = listings.get(tool.name)!;
                return (
                  <li data-words={searchWords(tool, listing, kind)}>
                    <a class="card" href={`/tools/${tool.name}`}>
                      <strong>
                        <ToolIcon tool={tool} />
                        {tool.title}
                      </strong>
                      <span class="small soft">{listing.summary}</span>
                    </a>
                  </li>
                );
              })}
            </ul>
          </section>
        ))}
        <p id="none" class="soft" hidden>
          No tool matches. Try another word, or <a href="/search">search everything</a>.
        </p>
      </section>
      <section id="agent" class="columns connect" aria-labelledby="agent-title">
        <div class="stack">
          <h2 id="agent-title">Connect an agent</h2>
          <p class="soft">
            Add this address to any MCP client. The agent gets all tools, or those of one domain,
            which keeps its context small.
          </p>
          <p>
            <a href="/docs/mcp">Setup for common clients</a>
          </p>
        </div>
        <CodeBlock
          code={mcpConfiguration(`${baseUrl}/api/agent/mcp`, 'tools')}
          what="the MCP configuration"
        />
      </section>
    </Layout>
  );
}
