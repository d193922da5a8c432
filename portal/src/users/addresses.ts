// Addresses as people paste them: one a line, or with commas and spaces between, with names or without. Pure.

/** Each once, in whatever case: `Ada Park <ada@example.com>; bob@example.com`. */
export function addressesOf(text: string): string[] {
  const named = [...text.matchAll(/<([^<>\s]+)>/g)].map(([, address = '']) => address)
  const rest = text
    .replaceAll(/(?:"[^"]*"\s*|[^<>,;\n]*)<[^<>\s]+>/g, ' ')
    .split(/[\s,;]+/)
    .filter(Boolean)
  const known = new Map([...named, ...rest].map(address => [address.toLowerCase(), address]))
  return [...known.values()]
}
