// What groups give, as text and back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapOfText, textOfMap } from './group_rules.ts'

const known = { roles: [{ id: 'role_1', name: 'Field sales' }], teams: [{ id: 'team_1', name: 'North' }] }

test('rules of groups are read as they are written', () => {
  const map = [
    { group: 'Leads = best', role: 'Sales Manager' as const, roleId: null, teamId: 'team_1' },
    { group: 'Field', role: null, roleId: 'role_1', teamId: null },
    { group: 'Gone', role: null, roleId: 'role_9', teamId: 'team_9' },
  ]
  const text = textOfMap(map, known)
  assert.equal(text, 'Leads = best = Sales Manager + team North\nField = Field sales\nGone = role_9 + team team_9')
  assert.deepEqual(mapOfText(`${text}\n\nNorth=TEAM north\nnothing`, known), [
    { group: 'Leads = best', role: 'Sales Manager', teamId: 'team_1' },
    { group: 'Field', roleId: 'role_1' },
    { group: 'Gone', role: 'role_9', teamId: 'team_9' },
    { group: 'North', teamId: 'team_1' },
    { group: 'nothing' },
  ])
})
