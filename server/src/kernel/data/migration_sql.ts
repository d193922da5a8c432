// What a migration does, read from its text: whether the version before can go on while and after it runs, and whether it wants to run
// outside a transaction, as `create index concurrently` must.

/** A line at the head of a file. */
const outside = /^-- migrate: outside a transaction$/m
const second = /^-- migrate: second step$/m

/** Whether the file says that it runs statement by statement, without a transaction around it. */
export function runsOutside(sql: string): boolean {
  return outside.test(sql)
}

/** Whether the file says that it takes away what no version from the one before on uses any more. */
export function isSecondStep(sql: string): boolean {
  return second.test(sql)
}

/** What a semicolon or a word in it says nothing of: bodies of functions, texts, comments. */
const inert = /(\$[a-z_]*\$)[\s\S]*?\1|'(?:[^']|'')*'|--.*$|\/\*[\s\S]*?\*\//gim

/** Statements without comments; bodies of functions and texts are emptied, so that what they say is no statement. */
export function statementsOf(sql: string): string[] {
  return statementTextsOf(sql).map(text =>
    text.replaceAll(inert, part => (part.startsWith('$') ? '$$' : "''")).replaceAll(/\s+/g, ' '),
  )
}

/** Statements without comments, as they are run. */
export function statementTextsOf(sql: string): string[] {
  const texts: string[] = []
  const bare = sql.replaceAll(inert, part => (/^(?:--|\/\*)/.test(part) ? '' : `'${texts.push(part) - 1}'`))
  return bare
    .split(';')
    .map(statement => statement.trim().replaceAll(/'(\d+)'/g, (_, place: string) => texts[Number(place)]!))
    .filter(statement => statement !== '')
}

const rules: [pattern: RegExp, why: string][] = [
  [/\bdrop (?!not null|default|expression|identity|constraint)/i, 'takes away what the version before uses'],
  [/\brename\b/i, 'the version before knows the former name'],
  [
    /\balter (?:column )?"?\w+"? (?:set data )?type\b/i,
    'the version before writes the former type, and the table is written again',
  ],
  [/\bset not null\b/i, 'the version before may leave it empty'],
  [/^truncate\b|^delete from\b/i, 'takes away what the version before reads'],
  [/^revoke\b/i, 'takes a right away that the version before uses'],
]

const newColumn =
  /\badd (?:column )?(?:if not exists )?(?!constraint\b|check\b|primary\b|unique\b|foreign\b|exclude\b)"?(\w+)"? [^,]*\bnot null\b[^,]*/gi
const newRule = /\badd (?:constraint "?\w+"? )?(check|primary|unique|foreign|exclude)\b/i

/**
 * What of a migration the version before would stumble over: the statement and why, one line each. A table that the file makes itself may
 * be changed in any way.
 */
export function notAdditive(sql: string): string[] {
  const statements = statementsOf(sql)
  const made = new Set(
    statements.flatMap(text => nameIn(text, /^create (?:unlogged )?table (?:if not exists )?"?(\w+)/i)),
  )
  const fault = (statement: string, why: string) => `"${statement.slice(0, 80)}": ${why}`
  return statements.flatMap(statement => {
    const [table] = nameIn(statement, /^alter table (?:if exists )?(?:only )?"?(\w+)/i)
    if (table !== undefined && made.has(table)) return []
    const why = rules.find(([pattern]) => pattern.test(statement))?.[1]
    if (why !== undefined) return [fault(statement, why)]
    if (table !== undefined) {
      const columns = [...statement.matchAll(newColumn)].filter(([text]) => !/\b(default|generated)\b/i.test(text))
      if (columns.length > 0) return [fault(statement, 'the version before does not fill it: give it a default')]
      if (newRule.test(statement) && !isReplaced(statement))
        return [fault(statement, 'the version before may break the new rule')]
    }
    const [unique] = nameIn(statement, /^create unique index .*?\bon (?:only )?"?(\w+)/i)
    if (unique !== undefined && !made.has(unique)) return [fault(statement, 'the version before may write doubles')]
    return []
  })
}

/** A rule that takes the place of one of its name in one statement: a list of states that grew, for one. It must allow all that the former did. */
function isReplaced(statement: string): boolean {
  const names = (pattern: RegExp) => [...statement.matchAll(pattern)].map(match => match[1])
  const dropped = names(/\bdrop constraint (?:if exists )?"?(\w+)/gi)
  const added = names(/\badd constraint "?(\w+)/gi)
  return added.length > 0 && added.every(name => dropped.includes(name))
}

/** Indexes that a migration makes while nobody can write to the table: those of tables that were there before, one line each. */
export function lockingIndexes(sql: string): string[] {
  const statements = statementsOf(sql)
  const made = new Set(
    statements.flatMap(text => nameIn(text, /^create (?:unlogged )?table (?:if not exists )?"?(\w+)/i)),
  )
  return statements.filter(statement => {
    const [table] = nameIn(statement, /^create (?:unique )?index (?!concurrently).*?\bon (?:only )?"?(\w+)/i)
    return table !== undefined && !made.has(table)
  })
}

/** The name of the index that a statement makes concurrently. */
export function concurrentIndex(statement: string): string | undefined {
  return nameIn(statement, /^create (?:unique )?index concurrently (?:if not exists )?"?(\w+)/i)[0]
}

function nameIn(statement: string, pattern: RegExp): string[] {
  const name = pattern.exec(statement)?.[1]
  return name === undefined ? [] : [name]
}
