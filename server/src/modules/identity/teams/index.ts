// What others may use of teams: who is in one.
export { keepTeamMember, lockTeams } from './membership.ts'
export { findTeam } from './store.ts'
