// How long things are kept, what people asked for, and what is on legal hold.
import { Refused } from '../navigation/fallbacks.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { PageHeader } from '../ui/index.ts'
import { HoldsCard } from './holds_card.tsx'
import styles from './privacy.module.css'
import { RequestsCard } from './requests_card.tsx'
import { RetentionCard } from './retention_card.tsx'
import { t } from './texts.ts'

export function PrivacyScreen() {
  const { permissions } = useSession()
  if (!permissions.has('privacy_requests:read')) return <Refused title={t('title')} />
  return (
    <>
      <PageHeader title={t('title')} description={t('about')} />
      <div className={styles['cards']}>
        <InLiveMode>
          <RetentionCard />
        </InLiveMode>
        <RequestsCard />
        {permissions.has('legal_holds:read') && <HoldsCard />}
      </div>
    </>
  )
}
