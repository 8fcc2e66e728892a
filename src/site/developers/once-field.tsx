/** The id of one showing of a form: sent a second time, by reloading the answer, it does nothing. */

export function OnceField() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}
