// The inspector: any id, on any screen, in a drawer named by ?inspect= in the address.
import { useNavigate, useSearch } from '@tanstack/react-router'

/** The id being inspected, and how to inspect another or none. */
export function useInspect(): { inspected: string | undefined; inspect(id: string | undefined): void } {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  return {
    inspected: search['inspect'],
    inspect: id => {
      void navigate({ to: '.', search: (old: Record<string, unknown>) => ({ ...old, inspect: id }), hash: true })
    },
  }
}
