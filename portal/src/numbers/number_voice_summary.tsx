// What calls to a number begin with, in one line.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { t } from './texts.ts'

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
  if (callbackUrl !== null) return t('asks', { url: callbackUrl })
  if (instructions === null) return t('nothingSet')
  return instructions.map(({ verb }) => String(verb)).join(', ')
}
