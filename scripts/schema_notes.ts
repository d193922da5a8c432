// The comments of the migrations and the places of what they make, for `docs/schema.sql`: PostgreSQL keeps neither. It reads lines,
// not SQL: a comment stands on lines of its own right above what it is about.

export type MigrationFile = { name: string; text: string }

export type Notes = {
  /** Where a table, function or sequence is made first: the file, and a number that sorts by it. */
  placeOf(name: string): { file: string; order: number }
  /** Lines that end with a line feed, or nothing. `name` is that of an object, or `table.member`. */
  commentOn(name: string): string
}

const maker = /^create (?:or replace )?(?:unlogged )?(table|view|function|sequence) (?:if not exists )?(\w+)/
const opener = /^alter table (\w+)$/
const member = /^ {2}(?:add )?(?:column |constraint )?(\w+)/
const beside = /^create (?:unique )?(?:index|trigger) (\w+)(?:.*?) on (\w+)|^alter table (\w+) add column (\w+)/

/** Functions that `make_noun` makes for a table: its comments say what they are. */
const nounMaker = /^select make_noun\('(\w+)'/
const madeFor = (table: string) => [
  `count_${table}_insert`,
  `count_${table}_update`,
  `count_${table}_delete`,
  `find_${table}`,
]

/** What the files say above the statements; what a later one says takes the place of what an earlier one said. */
export function readNotes(files: readonly MigrationFile[]): Notes {
  const places = new Map<string, { file: string; order: number }>()
  const comments = new Map<string, string>()
  const place = (name: string, file: string) => {
    if (!places.has(name)) places.set(name, { file, order: places.size })
  }
  // Of the runner itself, which needs it before the first file.
  place('migrations', files[0]!.name)
  for (const { name: file, text } of files) {
    let above = ''
    let table: string | undefined
    for (const line of text.split('\n')) {
      if (/^\s*--/.test(line)) {
        above += `${line.trim()}\n`
        continue
      }
      const comment = above
      above = ''
      const [, kind, made] = maker.exec(line) ?? []
      if (made !== undefined) {
        place(made, file)
        comments.set(made, comment)
        table = kind === 'table' ? made : undefined
        continue
      }
      const [, noun] = nounMaker.exec(line) ?? []
      if (noun !== undefined) for (const name of madeFor(noun)) place(name, file)
      const [, index, on, altered, column] = beside.exec(line) ?? []
      if (index !== undefined || column !== undefined) comments.set(`${on ?? altered}.${index ?? column}`, comment)
      table = opener.exec(line)?.[1] ?? (/^(\S|$)/.test(line) ? undefined : table)
      const [, name] = member.exec(line) ?? []
      if (table !== undefined && name !== undefined && comment !== '') comments.set(`${table}.${name}`, comment)
    }
  }
  return {
    placeOf(name) {
      const found = places.get(name)
      if (!found) throw new Error(`no migration has "create … ${name}" at the beginning of a line`)
      return found
    },
    commentOn: name => comments.get(name) ?? '',
  }
}
