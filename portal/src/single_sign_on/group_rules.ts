// What groups of a provider give, as people type it: one a line, `Sales leads = Sales Manager + team North`. Roles and teams of the
// organization's own are written by their names, and by their ids where these are gone.
import type { Role } from '../session/session.ts'

export type Named = { id: string; name: string }
export type Known = { roles: readonly Named[]; teams: readonly Named[] }
type Stored = { group: string; role: Role | null; roleId: string | null; teamId: string | null }
type Sent = { group: string; role?: Role; roleId?: string; teamId?: string }

const nameOf = (known: readonly Named[], id: string) => known.find(one => one.id === id)?.name ?? id
const idOf = (known: readonly Named[], name: string) =>
  known.find(one => one.id === name || one.name.toLowerCase() === name.toLowerCase())?.id

export function textOfMap(map: readonly Stored[], { roles, teams }: Known): string {
  return map
    .map(({ group, role, roleId, teamId }) => {
      const gives = [role, roleId && nameOf(roles, roleId), teamId && `team ${nameOf(teams, teamId)}`]
      return `${group} = ${gives.filter(Boolean).join(' + ')}`
    })
    .join('\n')
}

/** What names nothing that is known is sent as it is, and refused by the server. */
export function mapOfText(text: string, { roles, teams }: Known): Sent[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [group = '', gives = ''] = line.includes('=') ? partsOf(line, '=') : [line.trim()]
      const sent: Sent = { group }
      for (const give of gives.split(' + ').map(part => part.trim())) {
        if (give === '') continue
        const team = /^team\s+(.+)$/i.exec(give)?.[1]
        const roleId = idOf(roles, give)
        if (team !== undefined) sent.teamId = idOf(teams, team) ?? team
        else if (roleId !== undefined) sent.roleId = roleId
        else sent.role = give as Role
      }
      return sent
    })
}

function partsOf(line: string, mark: string): [string, string] {
  const at = line.lastIndexOf(mark)
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
