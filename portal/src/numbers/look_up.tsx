// Looks any telephone number up: what the numbering plans say, whether it is one's own, and what it opted out of.
import { isTandemError, type NumbersLookupReply } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText, fieldFaultText } from '../ui/faults.ts'
import { Button, Card, Chip, DescriptionList, ErrorNote, IdLink, LoadingRows, TextField } from '../ui/index.ts'
import { listText, nameOfCode } from '../words/format.ts'
import styles from './numbers.module.css'
import { t } from './texts.ts'

export function countryText(code: string | null): string {
  return code === null ? '–' : `${nameOfCode('region', code)} (${code})`
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
  const fault = query.error === null ? undefined : reported ? fieldFaultText(reported) : faultText(query.error)
  return (
    <Card title={t('lookUpTitle')} className={styles['below']}>
      <form
        className={styles['look']}
        onSubmit={event => {
          event.preventDefault()
          if (typed.trim() === asked) void query.refetch()
          change({ look: typed.trim() === '' ? undefined : typed.trim() })
        }}
      >
        <TextField
          label={t('anyNumber')}
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
          {t('lookUp')}
        </Button>
      </form>
      <div role="status">
        {asked === '' ? null : query.isPending ? (
          <LoadingRows label={t('loading')} rows={1} />
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
          term: t('number'),
          detail: (
            <>
              <strong>{reply.internationalFormat}</strong>{' '}
              <Chip tone={reply.valid ? 'ok' : 'warn'}>{t(reply.valid ? 'valid' : 'notAssigned')}</Chip>
            </>
          ),
        },
        { term: t('country'), detail: `${countryText(reply.country)}, +${reply.callingCode}` },
        { term: t('national'), detail: reply.nationalFormat },
        { term: t('type'), detail: reply.type === null ? t('typeUnknown') : t(`type.${reply.type}`) },
        { term: t('yours'), detail: reply.numberId === null ? t('no') : <IdLink id={reply.numberId} /> },
        {
          term: t('optedOut'),
          detail: reply.optedOut ? (
            <ul>
              {reply.optOuts.map(({ optOutId, scope }) => (
                <li key={optOutId}>
                  {t('optedOutOf', { scope })} <IdLink id={optOutId}>{t('inspect')}</IdLink>
                </li>
              ))}
            </ul>
          ) : (
            t('no')
          ),
        },
        {
          term: t('notKnown'),
          detail: t('onlyNetwork', { facts: listText(reply.unknown.map(one => t(`unknown.${one}`))) }),
        },
      ]}
    />
  )
}
