// What is known of teams elsewhere in the portal once one was changed.
import type { Team } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'

export function useTeamSaved(): (saved: Team) => void {
  const cache = useQueryClient()
  return saved => {
    cache.setQueryData(['live', 'team', saved.teamId], saved)
    void cache.invalidateQueries({ queryKey: ['live', 'teams'] })
  }
}
