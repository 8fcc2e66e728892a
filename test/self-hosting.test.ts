/**
 * Checks that docs/self-hosting.md, compose.yaml and devcontainer.json agree with the image and
 * with the settings.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROGRAMS } from '../containers/media/programs.ts';
import { checkSettings } from '../src/core/config.ts';
import { MAX_BODY_BYTES, MB } from '../src/core/limits.ts';
import { DRAIN_SECONDS, SETTINGS } from '../src/core/settings.ts';

const FOLDER = 'containers/service';
const read = (path: string) => readFileSync(path, 'utf8');
const page = read('docs/self-hosting.md');
const dockerfile = read(`${FOLDER}/Dockerfile`);
const compose = parse(read(`${FOLDER}/compose.yaml`));
const known = new Set(SETTINGS.map(({ name }) => name));

/** Returns the value of the last instruction with this name in the Dockerfile, such as `8787` for `EXPOSE`. */
const instruction = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].at(-1)![1]!;
const port = Number(instruction('EXPOSE'));
const volume = instruction('VOLUME');

/** Returns the code blocks in this language. */
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```/gms)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text!);

/** Returns the problems in the given settings: unknown names, and values that the service rejects. */
const wrong = (settings: Record<string, string>) => [
  ...Object.keys(settings).filter((name) => !known.has(name)),
  ...checkSettings(settings),
];

describe('the self-hosting page', () => {
  it('names only settings that exist', () => {
    const given = ['TOOLS_DOMAIN'];
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)\b/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name) && !given.includes(name))).toEqual([]);
  });

  it('runs the image on its port, with its volume', () => {
    expect(page).toContain(`-p ${port}:${port} -v tools:${volume}`);
    expect(dockerfile).toContain(`-p ${port}:${port} -v tools:${volume}`);
  });

  it('shows how to run each operator command in the container', () => {
    for (const program of ['key', 'admin', 'backup', 'restore']) {
      expect(page).toContain(`node scripts/${program}.ts`);
    }
  });

  it('names the Homebrew formula of every program', () => {
    const formulas: Record<string, string> = {
      'poppler-utils': 'poppler',
      'tesseract-ocr': 'tesseract',
    };
    // Node is excluded from the check, because it is already needed to run `npm start`.
    const packages = Object.values(PROGRAMS).map((program) => program.package as string);
    const installed = /`brew install ([\w -]+)`/.exec(page)![1]!.split(' ');
    const wanted = packages
      .filter((name) => name !== 'nodejs')
      .map((name) => formulas[name] ?? name);
    expect(wanted.filter((name) => !installed.includes(name))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const { tools, caddy, prometheus } = compose.services;
  const substituted = (value: string, given: Record<string, string>) =>
    value.replace(/\$\{(\w+)[^}]*\}/g, (_, name) => given[name] ?? '');

  it.each<Record<string, string>>([
    { TOOLS_DOMAIN: 'tools.example.com' },
    {
      TOOLS_DOMAIN: 'tools.example.com',
      METRICS_TOKEN: 'sixteen-characters-or-more',
      OPENAI_BASE_URL: 'http://ollama:11434/v1',
      MODEL_TEXT: 'llama3.2:3b',
    },
  ])('passes settings that the service accepts, from %j', (given) => {
    const entries = Object.entries<string>(tools.environment);
    expect(wrong(Object.fromEntries(entries.map(([k, v]) => [k, substituted(v, given)])))).toEqual(
      [],
    );
  });

  it('mounts volumes, configurations and files that exist', () => {
    const used = Object.values<{ volumes?: string[] }>(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((mount) => mount.split(':')[0]!);
    const [files, volumes] = [
      used.filter((name) => name.startsWith('.')),
      used.filter((name) => !name.startsWith('.')),
    ];
    expect(files.filter((path) => !existsSync(join(FOLDER, path)))).toEqual([]);
    expect(volumes.sort()).toEqual(Object.keys(compose.volumes).sort());
    const configs = Object.values<{ configs?: { source: string }[] }>(compose.services).flatMap(
      (service) => (service.configs ?? []).map(({ source }) => source),
    );
    expect(configs.sort()).toEqual(Object.keys(compose.configs).sort());
  });

  it('reaches the service by its name, port and volume', () => {
    expect(tools.volumes).toEqual([`state:${volume}`]);
    expect(read(`${FOLDER}/Caddyfile`)).toContain(`reverse_proxy tools:${port}`);
    expect(caddy.depends_on).toEqual(['tools']);
    const [scraped] = parse(compose.configs.scrape.content).scrape_configs;
    expect(scraped.static_configs).toEqual([{ targets: [`tools:${port}`] }]);
    // The service refuses requests with a host name that is not in ALLOWED_HOSTS.
    expect(tools.environment.ALLOWED_HOSTS).toBe('tools');
    const [source] = parse(compose.configs.datasource.content).datasources;
    expect(source.url).toBe('http://prometheus:9090');
    expect(prometheus.profiles).toEqual(['monitoring']);
  });

  it('publishes only the proxy, and Grafana on this machine', () => {
    const published = Object.values<{ ports?: string[] }>(compose.services).flatMap(
      ({ ports = [] }) => ports,
    );
    expect(published).toEqual(['80:80', '443:443', '443:443/udp', '127.0.0.1:3000:3000']);
  });

  it('builds the image, and gives it time to shut down', () => {
    expect(existsSync(join(FOLDER, tools.build.context, tools.build.dockerfile))).toBe(true);
    expect(Number.parseInt(tools.stop_grace_period, 10)).toBeGreaterThan(
      Number(tools.environment.DRAIN_SECONDS),
    );
    expect(tools).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    const [profile] = tools.security_opt.flatMap(
      (option: string) => option.split('seccomp=')[1] ?? [],
    );
    expect(page).toContain(`--security-opt seccomp=${join(FOLDER, profile)}`);
    expect(JSON.parse(read(join(FOLDER, profile))).defaultAction).toBe('SCMP_ACT_ALLOW');
  });

  it('blocks the system calls that need a capability under Docker’s default profile', () => {
    const { syscalls } = JSON.parse(read(`${FOLDER}/seccomp.json`));
    const refused = syscalls.flatMap((rule: { names: string[]; args?: unknown }) =>
      rule.args ? [] : rule.names,
    );
    // These system calls are refused, because the container does not have CAP_SYS_PTRACE, CAP_SYS_ADMIN or
    // CAP_SYS_NICE.
    const needing = [
      ...['kcmp', 'pidfd_getfd', 'process_madvise', 'process_vm_readv', 'process_vm_writev'],
      ...['ptrace', 'bpf', 'fanotify_init', 'fsconfig', 'fsmount', 'fsopen', 'fspick', 'mount'],
      ...[
        'lsm_get_self_attr',
        'lsm_list_modules',
        'lsm_set_self_attr',
        'mount_setattr',
        'move_mount',
      ],
      ...['open_tree', 'open_tree_attr', 'perf_event_open', 'quotactl', 'quotactl_fd', 'umount2'],
      ...['get_mempolicy', 'mbind', 'migrate_pages', 'move_pages', 'set_mempolicy'],
    ];
    expect(needing.filter((name) => !refused.includes(name))).toEqual([]);
  });

  it('has the profiles that the page names', () => {
    const profiles = Object.values<{ profiles?: string[] }>(compose.services).flatMap(
      (service) => service.profiles ?? [],
    );
    const named = [...page.matchAll(/--profile (\w+)/g)].map(([, name]) => name);
    expect([...new Set(profiles)].sort()).toEqual(named.sort());
  });
});

describe('the StatefulSet', () => {
  const { spec } = parse(blocks('yaml').find((text) => text.startsWith('apiVersion'))!);
  const pod = spec.template.spec;
  const [container] = pod.containers;

  it('passes settings that the service accepts, and allows time to shut down', () => {
    const env: Record<string, string> = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(wrong(env)).toEqual([]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(env.DRAIN_SECONDS));
  });

  it('has the port, the user and the volume of the image', () => {
    expect(container.ports).toEqual([{ containerPort: port }]);
    expect(container.readinessProbe.httpGet).toMatchObject({ path: '/health', port });
    expect(instruction('USER')).toBe(
      `${pod.securityContext.runAsUser}:${pod.securityContext.fsGroup}`,
    );
    expect(container.volumeMounts).toEqual([
      { name: spec.volumeClaimTemplates[0].metadata.name, mountPath: volume },
    ]);
    // Only one process may use the state at a time.
    expect(spec.replicas).toBe(1);
  });
});

describe('the systemd unit', () => {
  const [unit] = blocks('ini');
  const value = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit!)![1]!;

  it('passes settings that the service accepts, and allows time to shut down', () => {
    const env = Object.fromEntries(
      value('Environment')
        .split(' ')
        .map((pair) => pair.split(/=(.*)/) as [string, string]),
    );
    expect(wrong(env)).toEqual([]);
    expect(env.STATE_DIR).toBe(`/var/lib/${value('StateDirectory')}`);
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(DRAIN_SECONDS);
    // systemd would otherwise stop the media worker before the calls that use it have finished.
    expect(value('KillMode')).toBe('mixed');
  });

  it('starts a program that exists', () => {
    const [node, program] = value('ExecStart').split(' ');
    expect(node).toBe(`${value('WorkingDirectory')}/node_modules/.bin/node`);
    expect(existsSync(program!)).toBe(true);
  });
});

describe('the reverse proxy configurations', () => {
  it('use the port and the limits of the service', () => {
    const [nginx] = blocks('nginx');
    expect(nginx).toContain(`client_max_body_size ${MAX_BODY_BYTES / MB}m;`);
    expect(nginx).toContain(`proxy_pass http://127.0.0.1:${port};`);
    // nginx does not start without a certificate and its key.
    expect(nginx).toMatch(/ssl_certificate \S+;\s+ssl_certificate_key \S+;/);
    const { labels } = parse(blocks('yaml').find((text) => text.startsWith('labels'))!);
    expect(labels['traefik.http.services.tools.loadbalancer.server.port']).toBe(String(port));
  });
});

describe('devcontainer.json', () => {
  const { image, postCreateCommand, forwardPorts } = JSON.parse(
    read('.devcontainer/devcontainer.json'),
  );

  it('uses the Debian and Node versions of the image, and the port of the service', () => {
    const [, node, debian] = /:(\d+)-(\w+)$/.exec(image)!;
    expect(dockerfile).toContain(`ARG NODE=node:${node}-${debian}-slim`);
    expect(dockerfile).toContain(`ARG BASE=debian:${debian}-slim`);
    expect(forwardPorts).toEqual([port]);
  });

  it('prepares the repository with a program that exists', () => {
    const [program, script] = postCreateCommand.split(' ');
    expect(program).toBe('node');
    expect(existsSync(script)).toBe(true);
  });
});
