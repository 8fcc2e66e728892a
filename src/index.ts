import { Container } from '@cloudflare/containers';
export class MediaContainer extends Container {
  override defaultPort = 8080;
}
let aborted = 0;
export default {
  async fetch(req: Request, env: any) {
    const u = new URL(req.url);
    if (u.pathname === '/slow') {
      req.signal.addEventListener('abort', () => {
        aborted++;
      });
      try {
        await fetch(u.searchParams.get('to')!, { signal: req.signal });
      } catch (e) {
        console.log('err', String(e));
      }
      return new Response('done');
    }
    if (u.pathname === '/aborted') return new Response(String(aborted));
    if (u.pathname === '/h')
      return Response.json([...req.headers].concat([['cf', JSON.stringify(req.cf ?? null)]]));
    if (u.pathname === '/put') {
      const fls = new FixedLengthStream(Number(req.headers.get('content-length')));
      const p = env.FILES.put('x', fls.readable);
      await req.body!.pipeTo(fls.writable);
      await p;
      return new Response('ok');
    }
    if (u.pathname === '/get') {
      const o = await env.FILES.get('x', { range: req.headers });
      return new Response(o.body, {
        status: 206,
        headers: { 'x-range': JSON.stringify(o.range), etag: o.httpEtag },
      });
    }
    if (u.pathname === '/early') return new Response('too large', { status: 413 });
    return new Response('hi');
  },
  async scheduled() {
    console.log('scheduled');
  },
};
