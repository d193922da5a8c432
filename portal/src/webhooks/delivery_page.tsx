// The page of one delivery, to be linked to and sent to a colleague.
import { useParams } from '@tanstack/react-router'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { CopyButton } from '../ui/code.tsx'
import { PageHeader, TextLink } from '../ui/index.ts'
import { DeliveryFacts } from './delivery_facts.tsx'
import { Readable } from './readable.tsx'
import { t } from './texts.ts'

export function DeliveryScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <Readable>
      <DeliveryPage key={id} id={id} />
    </Readable>
  )
}

function DeliveryPage({ id }: { id: string }) {
  const query = useRecord('delivery', id)
  const webhookId = query.data?.webhookId
  return (
    <>
      <PageHeader
        title={t('deliveryTitle', { id })}
        heading={t('deliveryTitlePlain')}
        description={
          <>
            {webhookId == null ? (
              <TextLink to={query.data === undefined ? '/webhooks' : '/webhooks/callbacks'}>
                {query.data === undefined ? t('allWebhooks') : t('callbacks')}
              </TextLink>
            ) : (
              <TextLink to="/webhooks/$id" params={{ id: webhookId }}>
                {t('itsWebhook')}
              </TextLink>
            )}{' '}
            / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
      />
      <RecordStates kind="delivery" id={id} query={query}>
        {delivery => <DeliveryFacts delivery={delivery} />}
      </RecordStates>
    </>
  )
}
