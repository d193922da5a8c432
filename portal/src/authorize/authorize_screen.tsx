// The page to which a program sends a person who is to let it in.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { faultText } from '../ui/faults.ts'
import { ErrorState, LoadingRows, TextLink, useDocumentTitle } from '../ui/index.ts'
import { Frame } from './frame.tsx'
import { Question } from './question.tsx'
import { type Decision, decideRequest, readRequest } from './request.ts'
import { t } from './texts.ts'

export function AuthorizeScreen() {
  useDocumentTitle(t('app'))
  const { uid = '' } = useParams({ strict: false }) as { uid?: string }
  const query = useQuery({
    queryKey: ['authorize', uid],
    queryFn: () => readRequest(uid),
    gcTime: 0,
    staleTime: Infinity,
  })
  const decide = useMutation({
    mutationFn: (decision: Decision) => decideRequest(uid, decision),
    onSuccess: ({ redirectTo }) => window.location.replace(redirectTo),
  })
  return (
    <Frame>
      {query.isPending && <LoadingRows label={t('request')} rows={4} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined &&
        ('over' in query.data ? (
          <>
            <h1>{t('over')}</h1>
            <p>{query.data.over}</p>
            <TextLink to="/">{t('portal')}</TextLink>
          </>
        ) : (
          <Question
            request={query.data}
            busy={decide.isPending || decide.isSuccess}
            fault={decide.error === null ? undefined : faultText(decide.error)}
            onDecide={decide.mutate}
          />
        ))}
    </Frame>
  )
}
