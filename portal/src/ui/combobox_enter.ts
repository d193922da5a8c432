// What Enter does in an open combobox.
// Apart from its component, so that a test holds it.

/**
 * @param active place of the active option; above the first only by the arrows or the pointer, so that it is meant
 * @param found how many options are listed
 */
export function enterDoes(
  typed: string | undefined,
  { isLoading, active, found }: { isLoading: boolean; active: number; found: number },
): 'choose' | 'wait' | 'take' {
  const isTyped = typed !== undefined && typed.trim() !== ''
  // What is listed answers what was typed before.
  if (isLoading && (found === 0 || (isTyped && active === 0))) return 'wait'
  return active < found ? 'choose' : 'take'
}
