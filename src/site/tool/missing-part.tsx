/** Explains why a tool cannot run on this service, and what to do about it. */
import type { MissingComponent } from '../../execute/missing-component.ts';

const MISSING: Record<MissingComponent, string> = {
  text: 'This service has no text model',
  image: 'This service has no image model',
  browser: 'Screenshots are switched off on this service',
};

export function MissingPart({ kind }: { kind: MissingComponent }) {
  return (
    <p class="notice warn">
      {MISSING[kind]}, so this tool cannot run here.{' '}
      {kind === 'browser' ? (
        <>If this is your service, you can switch them on.</>
      ) : (
        <>
          If this is your service, <a href="/how-to/use-your-own-model">connect a model</a>.
        </>
      )}{' '}
      Otherwise <a href="/contact">ask its operator</a>.
    </p>
  );
}
