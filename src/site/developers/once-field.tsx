/** The id of one form instance: sent again by a reload, it has no effect. */

export function OnceField() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}
