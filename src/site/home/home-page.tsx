/**
 * Renders the home page: an introduction, a demo chain, all tools, the programs that they replace, and how to connect
 * an agent.
 */
import { isExecutable } from '../../catalogue/catalogue.ts';
import { mostUsed, toolsByKind } from '../../catalogue/kinds.ts';
import type { Tool } from '../../core/define-tool.ts';
import { TOOLS } from '../../tools/registry.ts';
import { staysInBrowser } from '../assets.ts';
import { CodeBlock } from '../design/code-block.tsx';
import { Layout } from '../design/layout.tsx';
import type { Site } from '../site.ts';
import { mcpConfiguration } from '../tool/calls.ts';
import type { ToolListing } from '../tool/documents.ts';
import { ToolIcon } from '../tool/tool-icon.tsx';
import { HeroChain } from './hero-chain.tsx';
import { Replaces } from './replaces.tsx';

interface HomePageProps {
  site: Site;
  /** The summaries and tags of the tools, by name. */
  listings: ReadonlyMap<string, ToolListing>;
  /** The names of the tools that are switched off on this server. */
  off: ReadonlySet<string>;
  /** The markup of a QR code with this page's URL. */
  code: string;
}

export function HomePage({ site, listings, off, code }: HomePageProps) {
  const { serviceName, baseUrl } = site;
  const isOn = ({ name }: Tool) => !off.has(name);
  const offered = TOOLS.filter(isOn);
  const kinds = toolsByKind()
    .map(([heading, tools, kind]) => [heading, tools.filter(isOn), kind] as const)
    .filter(([, { length }]) => length > 0)
    .map(([heading, tools, kind]) => [headingOf(heading, tools), tools, kind] as const);
  return (
    <Layout
      site={site}
      title={`${serviceName}: everyday tools for files, pages and text`}
      description={`${offered.length} everyday tools for files, pages and text, in the browser, over HTTP and over MCP: PDF, images, video, OCR, links. Most need no key.`}
      scripts={['home.js']}
    >
      <div class="hero">
        <div class="stack">
          <h1>Everyday tools for files, pages and text</h1>
          <p class="lead">
            Merge PDFs, shrink photos, read scans, make QR codes: {offered.length} tools in your
            browser, {offered.filter(isExecutable).length} of them also for your code and your AI
            agent. {accountText(site, offered)}
          </p>
          <search>
            <form class="finder" id="find" action="/search">
              <label for="search" class="hidden">
                Find a tool
              </label>
              <input
                id="search"
                name="q"
                type="search"
                placeholder="Find a tool: smaller, rotate…"
                autocomplete="off"
                required
                maxlength={500}
              />
            </form>
          </search>
          <p id="found-status" class="hidden" role="status" />
          <div id="found" class="page" hidden />
          <nav class="most" id="most" aria-labelledby="most-title">
            <h2 id="most-title" class="label">
              Most used
            </h2>
            <ul>
              {mostUsed()
                .filter(isOn)
                .map((tool) => (
                  <li>
                    <a href={`/tools/${tool.name}`}>
                      <ToolIcon tool={tool} />
                      {tool.title}
                    </a>
                  </li>
                ))}
            </ul>
          </nav>
          <FromCode tool={mostUsed().find(isOn)!} baseUrl={baseUrl} />
        </div>
        <HeroChain code={code} isLimited={site.isLimited} />
      </div>
      <section id="tools" class="stack loose" aria-labelledby="tools-title">
        <div class="stack">
          <h2 id="tools-title">All tools</h2>
          <nav class="cluster small" aria-label="Kinds of tools">
            {kinds.map(([heading, , kind]) => (
              <a href={`#${kind}`}>{heading}</a>
            ))}
          </nav>
        </div>
        {kinds.map(([heading, tools, kind]) => (
          <ToolsOfKind heading={heading} kind={kind} tools={tools} listings={listings} />
        ))}
        <ToolsOff tools={TOOLS.filter((tool) => !isOn(tool))} />
      </section>
      <Replaces />
      <section id="agent" class="columns connect" aria-labelledby="agent-title">
        <div class="stack">
          <h2 id="agent-title">Connect an agent</h2>
          <p class="soft">
            Add this URL to any MCP client. The agent gets all tools, or those of one domain, which
            keeps its context small.
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

/** Renders the shortest call of a tool. Narrow screens do not show it. */
function FromCode({ tool, baseUrl }: { tool: Tool; baseUrl: string }) {
  const [file] = tool.example!.files!;
  const call = `curl -F file=@${file} -o result.pdf \\\n  ${baseUrl}/api/v1/tools/${tool.name}`;
  return (
    <section class="stack for-code" aria-labelledby="code-title">
      <h2 id="code-title" class="label">
        From your code
      </h2>
      <CodeBlock code={call} what="the command" wrap />
      <p class="small">
        <a href="/docs/api">API reference</a>, <a href="/docs/mcp">MCP for agents</a>,{' '}
        <a href="/developers">keys</a>
      </p>
    </section>
  );
}

/** Returns the heading of a kind. It does not mention a model if none of these tools needs one. */
const headingOf = (heading: string, tools: readonly Tool[]): string =>
  tools.some(({ model }) => model) ? heading : heading.replace(/, with a model$/, '');

/** Returns a sentence that states how many tools need no account, or that visitors must sign in first. */
function accountText({ requireSignIn }: Site, offered: readonly Tool[]): string {
  if (requireSignIn) return 'Sign in on the Developers page first.';
  const without = offered.filter(({ access }) => access !== 'account').length;
  return without === offered.length ? 'No account needed.' : `${without} of them need no account.`;
}

interface ToolsOfKindProps extends Pick<HomePageProps, 'listings'> {
  heading: string;
  kind: string;
  tools: readonly Tool[];
}

function ToolsOfKind({ heading, kind, tools, listings }: ToolsOfKindProps) {
  const areInBrowser = tools.every(staysInBrowser);
  return (
    <section class="kind" data-kind={kind} id={kind}>
      <div>
        <h3>{heading}</h3>
        {areInBrowser && (
          <p class="fine soft">
            These tools run in your browser. What you enter is not sent anywhere.
          </p>
        )}
      </div>
      <ul>
        {tools.map((tool) => (
          <li>
            <a href={`/tools/${tool.name}`}>
              <ToolIcon tool={tool} />
              <span>
                <strong>{tool.title}</strong>
                <span class="small soft">{listings.get(tool.name)!.summary}</span>
                {!areInBrowser && staysInBrowser(tool) && (
                  <span class="chip good">In your browser</span>
                )}
                {tool.access === 'account' && <span class="chip accent">Needs an account</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Renders links to the tools that need a component that this server lacks. */
function ToolsOff({ tools }: { tools: readonly Tool[] }) {
  if (tools.length === 0) return null;
  const links = tools.map(({ name, title }, index) => (
    <>
      {index > 0 && ', '}
      <a href={`/tools/${name}`}>{title}</a>
    </>
  ));
  return (
    <p class="small soft">
      This server cannot run {tools.length} of the {TOOLS.length} tools, because it lacks a model or
      a browser: {links}.
    </p>
  );
}
