// What teams add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const team = declareNoun({
  permissions: {
    'teams:read': {
      allows: 'List and read teams and who is in them.',
      roles: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    },
    'teams:manage': { allows: 'Make, change and delete teams, and say who is in them.', roles: [] },
  },
  events: {
    readWith: 'teams:read',
    types: {
      'team.created': 'A team was made.',
      'team.updated': 'The name or the description of a team changed.',
      'team.deleted': 'A team was deleted.',
      'team.member_added': 'Somebody is in a team now.',
      'team.member_updated': 'Somebody leads a team now, or does so no more.',
      'team.member_removed': 'Somebody is no more in a team.',
    },
  },
  problems: {
    team_in_use: problem(
      409,
      'Team has members',
      'The team has members, some of whom may see records by it.',
      'Take them out of it first.',
    ),
    team_limit_reached: problem(
      409,
      'Too many teams',
      'The organization has 200 teams, the team 200 members, or the person is in 20 teams; there may be no more.',
      'Delete a team, or take somebody out of one.',
    ),
    team_name_taken: problem(
      409,
      'Name of a team in use',
      'Another team of the organization has this name.',
      'Choose another name.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    team: typeof team
  }
}
