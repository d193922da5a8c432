// Rules that give roles, as people type them: one a line, `Sales leads = Sales Manager`.
import type { Role } from '../session/session.ts'

export type TypedRule = { value: string; role: Role }

export const textOfRules = (rules: readonly TypedRule[]) =>
  rules.map(({ value, role }) => `${value} = ${role}`).join('\n')

/** Lines that say no role are sent as they are, and refused by the server with the place. */
export function rulesOfText(text: string): TypedRule[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const at = line.lastIndexOf('=')
      return at === -1
        ? { value: line.trim(), role: '' as Role }
        : { value: line.slice(0, at).trim(), role: line.slice(at + 1).trim() as Role }
    })
}

export const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map(line => line.trim())
    .filter(line => line !== '')
