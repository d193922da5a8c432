// A defect that is planted on purpose: which text of the sources becomes which, and the tests that have to notice. Its place is found
// by its text, so that a file may move or get another name; a text that is gone or stands twice is an error that names it.

/** One change of the sources. */
export type Edit = {
  /** Matches exactly once in all the files whose path holds `within`. */
  find: string | RegExp
  /** With a RegExp, `$1` is its first group. */
  replace: string
  within?: string
}

export type Defect = {
  name: string
  /** What it is a defect of, such as `tenancy`; a run can be limited to a kind. */
  kind: string
  edits: readonly Edit[]
  /** Patterns for `npm test`: at least one test in these files has to fail. */
  tests: readonly string[]
}

/** Texts of the sources by their paths from the root. */
export type Sources = ReadonlyMap<string, string>

/**
 * The files that a defect changes, with their new texts.
 * @throws Error naming the defect and the text that does not stand in exactly one place
 */
export function plant(sources: Sources, { name, edits }: Pick<Defect, 'name' | 'edits'>): Map<string, string> {
  const changed = new Map<string, string>()
  for (const edit of edits) {
    const file = placeOf(new Map([...sources, ...changed]), name, edit)
    const text = changed.get(file) ?? (sources.get(file) as string)
    // A string as a replacement would give `$` a meaning.
    changed.set(
      file,
      typeof edit.find === 'string'
        ? text.replace(edit.find, () => edit.replace)
        : text.replace(edit.find, edit.replace),
    )
  }
  for (const [file, text] of changed)
    if (text === sources.get(file)) throw new Error(`the defect "${name}" leaves ${file} as it is`)
  return changed
}

function placeOf(sources: Sources, name: string, { find, within = '' }: Edit): string {
  const places = [...sources]
    .filter(([file]) => file.includes(within))
    .flatMap(([file, text]) => Array.from({ length: timesIn(text, find) }, () => file))
  const [place] = places
  if (place !== undefined && places.length === 1) return place
  const found = place === undefined ? 'nowhere' : `${places.length} times (${[...new Set(places)].join(', ')})`
  throw new Error(
    `the defect "${name}" does not apply any more: its text stands ${found} in the sources${within && ` of ${within}`}. Bring server/test/defects up to date:\n${find}`,
  )
}

function timesIn(text: string, find: string | RegExp): number {
  return typeof find === 'string' ? text.split(find).length - 1 : [...text.matchAll(new RegExp(find, 'g'))].length
}
