// What a picker offers while somebody types: what was found for it, and neither "None" nor the record that is chosen now, which Enter
// would take in place of what was meant.
import type { ComboboxOption } from '../ui/combobox.tsx'

export const noneValue = 'none'
/** Signs from which on the server searches; before that it gives the latest records, which are searched here. */
export const minSearched = 2

const contains = ({ label }: ComboboxOption, text: string) => label.toLowerCase().includes(text)

/** Of people, who are all known: those with each word, and "None" for who writes it out. */
export function knownFor(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const text = typed.trim().toLowerCase()
  const words = text.split(/\s+/)
  return options.filter(option =>
    option.value === noneValue ? option.label.toLowerCase() === text : words.every(word => contains(option, word)),
  )
}

/** @param found values of what the server found */
export function foundFor(
  options: readonly ComboboxOption[],
  typed: string,
  found: ReadonlySet<string>,
): readonly ComboboxOption[] {
  const text = typed.trim().toLowerCase()
  return options.filter(option => {
    if (option.value === noneValue) return option.label.toLowerCase() === text
    return found.has(option.value) && (text.length >= minSearched || contains(option, text))
  })
}
