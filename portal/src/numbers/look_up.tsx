// Looks any telephone number up: what the numbering plans say, whether it is one's own, and what it opted out of.
import { isTandemError, type NumbersLookupReply } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, Chip, DescriptionList, ErrorNote, IdLink, LoadingRows, TextField } from '../ui/index.ts'
import styles from './numbers.module.css'

const regions = new Intl.DisplayNames(undefined, { type: 'region' })

export function countryText(code: string | null): string {
  return code === null ? '–' : `${regions.of(code) ?? code} (${code})`
}

export function LookUp() {
  const api = useApi()
  const { mode } = useSession()
  const [params, change] = useParamsOfAddress()
  const asked = params['look'] ?? ''
  const [typed, setTyped] = useState(asked)
  const query = useQuery({
    queryKey: [mode, 'numbers', 'looked up', asked],
    queryFn: ({ signal }) => api.numbers.lookup({ number: asked }, { signal }),
    enabled: asked !== '',
  })
  const reported = isTandemError(query.error) && query.error.details[0]
  const fault =
    query.error === null ? undefined : reported ? `${reported.field} ${reported.message}` : query.error.message
  return (
    <Card title="Look a number up" className={styles['below']}>
      <form
        className={styles['look']}
        onSubmit={event => {
          event.preventDefault()
          if (typed.trim() === asked) void query.refetch()
          change({ look: typed.trim() === '' ? undefined : typed.trim() })
        }}
      >
        <TextField
          label="Any telephone number"
          type="tel"
          placeholder="+49 151 23456789"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          icon={<Search size={14} />}
          busy={asked !== '' && query.isFetching}
          disabled={typed.trim() === ''}
        >
          Look up
        </Button>
      </form>
      <div role="status">
        {asked === '' ? null : query.isPending ? (
          <LoadingRows label="Loading the number" rows={1} />
        ) : query.data !== undefined ? (
          <Found reply={query.data} />
        ) : null}
      </div>
      {fault !== undefined && <ErrorNote text={fault} />}
    </Card>
  )
}

function Found({ reply }: { reply: NumbersLookupReply }) {
  return (
    <DescriptionList
      items={[
        {
          term: 'Number',
          detail: (
            <>
              <strong>{reply.internationalFormat}</strong>{' '}
              {reply.valid ? <Chip tone="ok">valid</Chip> : <Chip tone="warn">no such range is handed out</Chip>}
            </>
          ),
        },
        { term: 'Country', detail: `${countryText(reply.country)}, +${reply.callingCode}` },
        { term: 'At home', detail: reply.nationalFormat },
        { term: 'Range', detail: reply.type === null ? 'The plan does not say' : reply.type.replaceAll('_', ' ') },
        { term: 'Yours', detail: reply.numberId === null ? 'No' : <IdLink id={reply.numberId} /> },
        {
          term: 'Opted out',
          detail: reply.optedOut ? (
            <ul>
              {reply.optOuts.map(({ optOutId, scope }) => (
                <li key={optOutId}>
                  of {scope} <IdLink id={optOutId}>Inspect</IdLink>
                </li>
              ))}
            </ul>
          ) : (
            'No'
          ),
        },
        { term: 'Not known', detail: `${reply.unknown.join(', ').replaceAll('_', ' ')}: only its network knows.` },
      ]}
    />
  )
}
