// What calls to a number begin with, in one line.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'

export function useNumberVoice(numberId: string) {
  const api = useApi()
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, 'number voice', numberId],
    queryFn: ({ signal }) => api.numbers.voice.get({ numberId }, { signal }),
  })
}

export function VoiceSummary({ numberId }: { numberId: string }) {
  const { data } = useNumberVoice(numberId)
  if (data === undefined) return '–'
  const { callbackUrl, instructions } = data
  if (callbackUrl !== null) return `Ask ${callbackUrl}`
  if (instructions === null) return 'Nothing is set: callers hear an apology'
  return instructions.map(({ verb }) => String(verb)).join(', ')
}
