// How statements are named in traces.

/** What the span of a statement says of it. */
export const database = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const

/** What a statement does and to what, without its values: `select leads`. */
export function summaryOf(text: string): string {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update|join)\s+"?([a-z_]+)"?/i.exec(text) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}
