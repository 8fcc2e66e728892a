/** Long work as a job of the API: followed by its events, cancelled with the page, its result in the form of any other. */

/** Sends a call to `action`; `tell` hears of the job's status and progress. Gives the answer, as a call without a job does. */
export async function runJob(action, body, signal, tell) {
  const made = await fetch(`${action}/run`, {
    method: 'POST',
    body,
    signal,
    headers: { Prefer: 'respond-async' },
  });
  if (made.status !== 202) return made;
  const { id } = await made.json();
  const path = `/api/v1/jobs/${id}`;
  // Nobody waits for it any longer: it is cancelled, or what it made is deleted.
  const remove = () => fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {});
  addEventListener('pagehide', remove);
  let isShownByLink = false;
  try {
    await ended(path, signal, tell);
    const answer = await fetch(`${action}/jobs/${id}`, { signal });
    const bytes = await answer.blob();
    // A file that the service hosts for the result would go with the job.
    isShownByLink =
      bytes.type.startsWith('text/html') && /(src|href)="[^"]*\/files\//.test(await bytes.text());
    // What is left was told when the call was let in.
    const headers = new Headers(answer.headers);
    for (const name of ['RateLimit', 'RateLimit-Policy'])
      if (made.headers.has(name)) headers.set(name, made.headers.get(name));
    return new Response(bytes, { status: answer.status, headers });
  } finally {
    removeEventListener('pagehide', remove);
    if (!isShownByLink) remove();
  }
}

function ended(path, signal, tell) {
  const events = new EventSource(path);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    events.addEventListener('progress', ({ data }) => tell(JSON.parse(data)));
    events.addEventListener('end', resolve);
    // While it connects anew there is hope.
    events.addEventListener('error', () => {
      if (events.readyState === EventSource.CLOSED)
        reject(new Error('the service tells nothing of the job'));
    });
  }).finally(() => events.close());
}
