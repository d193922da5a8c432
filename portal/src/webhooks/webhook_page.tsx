// One webhook: its delivery health and what helps, its facts, and what was delivered.
import type { Webhook } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import { MoreHorizontal, Send } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLiveResource } from '../data/live_records.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Button, IconButton, Menu, PageHeader, TextLink } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { Deliveries } from './deliveries.tsx'
import { Readable } from './readable.tsx'
import { useTestEvent } from './testing.ts'
import { t } from './texts.ts'
import type { Asked } from './webhook_dialogs.tsx'
import { nameOf, WebhookFacts } from './webhook_facts.tsx'
import { StateNotice } from './webhook_state.tsx'
import styles from './webhooks.module.css'

const AskedDialog = lazyPart(() => import('./webhook_dialogs.tsx').then(module => module.AskedDialog))

export function WebhookScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <Readable>
      <WebhookPage key={id} id={id} />
    </Readable>
  )
}

function WebhookPage({ id }: { id: string }) {
  const { permissions } = useSession()
  const query = useRecord('webhook', id)
  const [asked, setAsked] = useState<Asked>()
  useLiveResource(id, ['webhook.*'], () => void query.refetch())
  const webhook = query.data
  const mayManage = permissions.has('webhooks:manage')
  return (
    <>
      <PageHeader
        title={t('webhookTitle', { id })}
        heading={webhook === undefined ? t('webhook') : nameOf(webhook)}
        description={
          <>
            <TextLink to="/webhooks">{t('allWebhooks')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={mayManage && webhook !== undefined && <Actions webhook={webhook} onAsk={setAsked} />}
      />
      <RecordStates kind="webhook" id={id} query={query}>
        {webhook => (
          <div className={styles['stack']}>
            <StateNotice
              webhook={webhook}
              action={
                mayManage &&
                !webhook.enabled && (
                  <Button variant="primary" onClick={() => setAsked('enable')}>
                    {t('enable')}
                  </Button>
                )
              }
            />
            <WebhookFacts webhook={webhook} />
            <Deliveries webhook={webhook} />
          </div>
        )}
      </RecordStates>
      <Suspense fallback={null}>
        {webhook !== undefined && asked !== undefined && (
          <AskedDialog webhook={webhook} asked={asked} onClose={() => setAsked(undefined)} />
        )}
      </Suspense>
    </>
  )
}

function Actions({ webhook, onAsk }: { webhook: Webhook; onAsk(asked: Asked): void }) {
  const test = useTestEvent(webhook.webhookId)
  return (
    <>
      <Button
        variant={webhook.enabled ? 'primary' : 'secondary'}
        icon={<Send size={14} />}
        busy={test.isPending}
        disabled={!webhook.enabled}
        title={webhook.enabled ? undefined : t('enableFirst')}
        onClick={() => test.mutate()}
      >
        {t('sendTest')}
      </Button>
      <Button onClick={() => onAsk('edit')}>{t('update')}</Button>
      <Menu
        trigger={<IconButton variant="secondary" label={t('more')} icon={<MoreHorizontal size={16} />} />}
        items={[
          { key: 'rotate', label: t('rotateTitle'), onSelect: () => onAsk('rotate') },
          webhook.enabled
            ? { key: 'disable', label: t('disable'), onSelect: () => onAsk('disable') }
            : { key: 'enable', label: t('enable'), onSelect: () => onAsk('enable') },
          { key: 'delete', label: t('delete'), danger: true, onSelect: () => onAsk('delete') },
        ]}
      />
    </>
  )
}
