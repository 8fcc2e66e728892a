/** The home page: an introduction, a demo chain, all tools, what they replace, and how to connect an agent. */
import { countsText } from '../../catalogue/counts.ts';
import { mostUsed, toolsByKind } from '../../catalogue/kinds.ts';
import { STOP } from '../../content/terms.ts';
import { TOOLS } from '../../tools/registry.ts';
import { CodeBlock } from '../design/code-block.tsx';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { mcpConfiguration } from '../tool/calls.ts';
import type { ToolListing } from '../tool/documents.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { HeroChain } from './hero-chain.tsx';
import { Replaces } from './replaces.tsx';
import { searchWords } from './search-words.ts';

interface HomePageProps {
  site: Site;
  /** A summary of each tool, by name. */
  listings: ReadonlyMap<string, ToolListing>;
}

export function HomePage({ site, listings }: HomePageProps) {
  const { serviceName, baseUrl } = site;
  return (
    <Layout
      site={site}
      title={`${serviceName}: developer tools for people, programs and agents`}
      description={`${TOOLS.length} developer tools on a page, over HTTP and over MCP: PDF, images, video, OCR, links, text. No key needed.`}
      scripts={['home.js']}
    >
      <div class="hero">
        <div class="stack">
          <h1>Everyday tools for files, pages and text</h1>
          <p class="lead">
            Merge PDFs, shrink photos, read scans, make QR codes: {TOOLS.length} tools, here on the
            page, over HTTP, or from your AI agent. You need no account.
          </p>
          <div class="cluster">
            <a class="button main" href="#tools">
              Find a tool
            </a>
            <a class="button" href="#agent">
              Connect an agent
            </a>
          </div>
          <nav class="most" aria-labelledby="most-title">
            <h2 id="most-title" class="label">
              Most used
            </h2>
            <ul>
              {mostUsed().map((tool) => (
                <li>
                  <a href={`/tools/${tool.name}`}>
                    <ToolIcon tool={tool} />
                    {tool.shortName}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <HeroChain />
      </div>
      <section id="tools" class="stack loose" aria-labelledby="tools-title">
        <div class="tools-head">
          <div class="stack tight">
            <h2 id="tools-title">All tools</h2>
            <p class="soft">{countsText()}.</p>
          </div>
          <search data-js hidden>
            <form class="finder" action="/" data-ignored={[...STOP].join(' ')}>
              <label for="search" class="hidden">
                Find a tool
              </label>
              <input
                id="search"
                type="search"
                placeholder="smaller, uppercase, thumbnail…"
                autocomplete="off"
              />
            </form>
          </search>
          <p id="found" class="hidden" role="status" />
        </div>
        {toolsByKind().map(([heading, tools, kind]) => (
          <section class="kind" data-kind={kind}>
            <h3>{heading}</h3>
            <ul>
              {tools.map((tool) => {
                const listing = listings.get(tool.name)!;
                return (
                  <li data-words={searchWords(tool, listing, heading)}>
                    <a href={`/tools/${tool.name}`}>
                      <ToolIcon tool={tool} />
                      <span>
                        <strong>{tool.title}</strong>
                        <span class="small soft">{listing.summary}</span>
                      </span>
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
      <Replaces />
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
